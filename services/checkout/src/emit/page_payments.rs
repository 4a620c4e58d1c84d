//! Events of payments on a provider's page: the event map has them of Platron.

use kit::clock::Clock;
use kit::outbox::{self, NewEvent};
use proto::events::v1 as events;
use sqlx::PgConnection;

use super::append;
use crate::domain::order::Order;
use crate::domain::order::hosted_checkout::HostedCheckout;
use crate::domain::payment::{Decline, Payment};
use crate::error::Result;

pub async fn captured(
    tx: &mut PgConnection,
    clock: &Clock,
    order: &Order,
    payment: &Payment,
    campaign: &str,
) -> Result<()> {
    let data = events::PlatronPaymentCaptured {
        transaction_id: payment.provider_intent_id.clone().unwrap_or_default(),
        user_id: order.user_id.public_id(),
        campaign: campaign.to_owned(),
        order_id: order.order_id.to_string(),
    };
    append(tx, clock, order, NewEvent::new(order.order_id, &data)?).await
}

pub async fn failed(
    tx: &mut PgConnection,
    clock: &Clock,
    hosted: &HostedCheckout,
    campaign: &str,
    decline: &Decline,
) -> Result<()> {
    // Our codes of its declines are `<provider>_<code>`.
    let prefixed = decline.code.strip_prefix(hosted.provider.name());
    let code = prefixed
        .and_then(|code| code.strip_prefix('_'))
        .unwrap_or(&decline.code);
    let data = events::PlatronPaymentFailed {
        transaction_id: hosted.provider_payment_id.clone().unwrap_or_default(),
        user_id: hosted.buyer.user_id.public_id(),
        campaign: campaign.to_owned(),
        pg_failure_code: code.to_owned(),
    };
    let draft = NewEvent::new(hosted.hosted_checkout_id, &data)?;
    outbox::append(tx, clock, draft.lang(&hosted.language).country(&hosted.country)).await?;
    Ok(())
}
