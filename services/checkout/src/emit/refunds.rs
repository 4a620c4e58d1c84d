//! Events of refunds.

use kit::clock::Clock;
use kit::outbox::NewEvent;
use proto::events::v1 as events;
use sqlx::PgConnection;

use crate::domain::order::Order;
use crate::domain::pricing::opens::Opens;
use crate::domain::refund::Refund;
use crate::error::Result;

/// `closes`: what ends, because the order is refunded in full.
pub async fn succeeded(
    tx: &mut PgConnection,
    clock: &Clock,
    order: &Order,
    refund: &Refund,
    closes: Opens,
) -> Result<()> {
    let data = events::RefundSucceeded {
        refund_id: refund.refund_id.to_string(),
        order_id: order.order_id.to_string(),
        user_id: order.user_id.public_id(),
        payment_id: refund.payment_id.to_string(),
        amount: Some(refund.amount.into()),
        reason: refund.reason.name().to_owned(),
        closes: closes.names(),
    };
    super::append(tx, clock, order, NewEvent::new(refund.refund_id, &data)?).await
}

/// `opens`: what the order opens again, because it is no longer refunded in full.
pub async fn returned(
    tx: &mut PgConnection,
    clock: &Clock,
    order: &Order,
    refund: &Refund,
    opens: Opens,
) -> Result<()> {
    let data = events::RefundReturned {
        refund_id: refund.refund_id.to_string(),
        order_id: order.order_id.to_string(),
        user_id: order.user_id.public_id(),
        payment_id: refund.payment_id.to_string(),
        amount: Some(refund.amount.into()),
        reason: refund.reason.name().to_owned(),
        opens: opens.names(),
    };
    super::append(tx, clock, order, NewEvent::new(refund.refund_id, &data)?).await
}
