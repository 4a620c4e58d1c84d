//! Stores a refund that an operator requested. The reconciler submits it.

use kit::clock::Clock;
use kit::database::Pool;
use kit::idempotency::{self, Key};
use kit::money::Money;
use sha2::{Digest, Sha256};

use crate::domain::ids::{OrderId, RefundId};
use crate::domain::order::OrderState;
use crate::domain::payment::Payment;
use crate::domain::refund::{self, Refund, RefundReason, RefundTarget};
use crate::error::{Error, Result};
use crate::store::order::orders;
use crate::store::payment::payments;
use crate::store::refund::{refund_reconciliations, refunds};

#[derive(Debug, Clone)]
pub struct RequestRefund {
    pub order_id: OrderId,
    /// In the smallest unit of the order's currency. Absent: all that is left.
    pub amount_minor: Option<i64>,
    /// Idempotency key: the same ticket returns the same refund.
    pub ticket: String,
}

pub async fn request_refund(pool: &Pool, clock: &Clock, request: &RequestRefund) -> Result<Refund> {
    let key = key(request);
    let mut tx = kit::database::begin(pool).await?;
    if let Some(id) = idempotency::claim::<_, Error>(&mut tx, clock, Some(&key)).await? {
        return Ok(refunds::read(&mut tx, id).await?);
    }
    let order = orders::find_locked(&mut tx, request.order_id).await?;
    let order = order.ok_or(Error::UnknownOrder)?;
    let OrderState::Paid { by: payment_id, .. } = order.state else {
        return Err(refund::Refusal::NotPaid.into());
    };
    let mut given = refunds::of_order(&mut tx, order.order_id).await?;
    given.retain(|refund| refund.payment_id == payment_id);
    let attempts = payments::of_order(&mut tx, order.order_id).await?;
    let paying = attempts.iter().find(|payment| payment.payment_id == payment_id);
    let captured = paying.and_then(Payment::captured);
    let captured = captured.ok_or(refund::Refusal::NotPaid)?;
    let wanted = request
        .amount_minor
        .map(|minor| Money::new(minor, captured.currency));
    let amount = refund::claimable(captured, &given, wanted)?;

    let now = clock.now();
    let claim = RefundTarget {
        order_id: order.order_id,
        payment_id,
        reason: RefundReason::Requested,
    };
    let refund = refund::intend(RefundId::new(now), claim, amount, now);
    refunds::insert_intent(&mut tx, &refund).await?;
    refund_reconciliations::schedule_now(&mut tx, payment_id).await?;
    idempotency::store(&mut tx, clock, Some(&key), &refund.refund_id).await?;
    tx.commit().await?;
    Ok(refund)
}

fn key(request: &RequestRefund) -> Key {
    let amount = request
        .amount_minor
        .map_or_else(|| "all".to_owned(), |minor| minor.to_string());
    Key {
        scope: format!("{}/refund", request.order_id),
        key: request.ticket.clone(),
        fingerprint: Sha256::digest(amount).into(),
    }
}
