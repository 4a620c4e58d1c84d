//! Emits captures and failures of a provider with payment events, in the transaction that applies its result.

use sqlx::PgConnection;

use crate::domain::order::Order;
use crate::domain::order::fact::Fact;
use crate::domain::order::hosted_checkout::{HostedCheckout, HostedCheckoutState};
use crate::domain::payment::Payment;
use crate::domain::payment::provider_result::Charge;
use crate::domain::provider::Feature;
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store::pricing::prices;

/// A late capture is emitted when it is refunded.
pub async fn emit_captured(
    tx: &mut PgConnection,
    checkout: &Checkout,
    order: &Order,
    payment: &Payment,
    facts: &[Fact],
) -> Result<()> {
    let is_paid = facts.iter().any(|fact| matches!(fact, Fact::OrderPaid { .. }));
    if !payment.provider.has(Feature::PaymentEvents) || !is_paid {
        return Ok(());
    }
    let price = prices::read(tx, order.price_id).await?;
    emit::page_payments::captured(tx, &checkout.clock, order, payment, &price.campaign).await
}

/// For the first refusal of a hosted checkout.
pub async fn emit_failed(
    tx: &mut PgConnection,
    checkout: &Checkout,
    before: HostedCheckoutState,
    hosted: &HostedCheckout,
    charge: &Charge,
) -> Result<()> {
    let is_new = before != hosted.state && hosted.state == HostedCheckoutState::Expired;
    let is_emitted = is_new && hosted.provider.has(Feature::PaymentEvents);
    let (Charge::Declined(decline), true) = (charge, is_emitted) else {
        return Ok(());
    };
    let price = prices::read(tx, hosted.price_id).await?;
    emit::page_payments::failed(tx, &checkout.clock, hosted, &price.campaign, decline).await
}
