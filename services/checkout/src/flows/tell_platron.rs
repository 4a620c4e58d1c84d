//! Tells what Platron took for an order, and what it did not take on a page: by its own word alone, in the transaction that takes
//! that in.

use sqlx::PgConnection;

use super::Checkout;
use crate::domain::order::Order;
use crate::domain::page::{Page, PageState};
use crate::domain::payment::Payment;
use crate::domain::provider::Provider;
use crate::domain::report::Charge;
use crate::domain::settlement::Fact;
use crate::emit;
use crate::error::Result;
use crate::store::prices;

/// What came too late to pay anything is told of when it has been given back.
pub async fn tell_captured(
    tx: &mut PgConnection,
    checkout: &Checkout,
    (order, payment): (&Order, &Payment),
    facts: &[Fact],
) -> Result<()> {
    let is_paid = facts.iter().any(|fact| matches!(fact, Fact::OrderPaid { .. }));
    if payment.provider != Provider::Platron || !is_paid {
        return Ok(());
    }
    let price = prices::read(tx, order.price_id).await?;
    emit::platron::captured(tx, &checkout.clock, (order, payment), &price.campaign).await
}

/// Of a page that is refused for the first time.
pub async fn tell_failed(
    tx: &mut PgConnection,
    checkout: &Checkout,
    (before, page): (PageState, &Page),
    charge: &Charge,
) -> Result<()> {
    let is_new = before != page.state && page.state == PageState::Over;
    let (Provider::Platron, Charge::Declined(decline), true) = (page.provider, charge, is_new) else {
        return Ok(());
    };
    let price = prices::read(tx, page.price_id).await?;
    emit::platron::failed(tx, &checkout.clock, (page, &price.campaign), decline).await
}
