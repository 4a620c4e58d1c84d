//! The only flow that marks a refund as succeeded. State, posting and event commit together; idempotent.

use kit::clock::Clock;
use sqlx::PgConnection;

use crate::domain::ids::RefundId;
use crate::domain::ledger::{self, Purpose};
use crate::domain::order::Order;
use crate::domain::payment::Payment;
use crate::domain::pricing::opens::Opens;
use crate::domain::provider::Provider;
use crate::domain::refund::{
    self, Refund, RefundFact, RefundOutcome, RefundReason, RefundResult, RefundSnapshot, RefundTarget,
    decide, full_refund,
};
use crate::emit;
use crate::error::Result;
use crate::flows::Checkout;
use crate::store;
use crate::store::order::orders;
use crate::store::payment::payments;
use crate::store::refund::refunds;
use crate::store::subscription::billing_states;

type Settled = (Refund, Option<RefundFact>);

/// The refund's order and provider.
struct Of<'a> {
    order: &'a Order,
    provider: Provider,
}

pub async fn settle_refund(checkout: &Checkout, refund: &Refund, result: &RefundResult) -> Result<Refund> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let order = orders::lock(&mut tx, refund.order_id).await?;
    let before = refunds::read(&mut tx, refund.refund_id).await?;
    let of = Of {
        order: &order,
        provider: payments::provider(&mut tx, refund.payment_id).await?,
    };
    let settled = apply(&mut tx, &checkout.clock, of, before, result).await?;
    tx.commit().await?;
    Ok(announce(settled))
}

/// Imports a refund made by hand at the provider, or taken by the buyer's bank, and posts it.
pub async fn import_refund(checkout: &Checkout, payment: &Payment, shown: &RefundSnapshot) -> Result<()> {
    if matches!(shown.outcome, RefundOutcome::Failed { .. }) {
        return Ok(());
    }
    let claim = RefundTarget {
        order_id: payment.order_id,
        payment_id: payment.payment_id,
        reason: shown.foreign_reason(),
    };
    let now = checkout.clock.now();
    let refund = Refund {
        provider_refund_id: Some(shown.provider_refund_id.clone()),
        ..refund::intend(RefundId::new(now), claim, shown.amount, shown.created_at)
    };
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let order = orders::lock(&mut tx, refund.order_id).await?;
    if !refunds::insert_intent(&mut tx, &refund).await? {
        return Ok(());
    }
    let result = RefundResult::Snapshot(shown.clone());
    let of = Of {
        order: &order,
        provider: payment.provider,
    };
    let settled = apply(&mut tx, &checkout.clock, of, refund, &result).await?;
    tx.commit().await?;
    announce(settled);
    Ok(())
}

async fn apply(
    tx: &mut PgConnection,
    clock: &Clock,
    of: Of<'_>,
    before: Refund,
    result: &RefundResult,
) -> Result<Settled> {
    let Of { order, provider } = of;
    let (refund, fact) = decide(before, result, clock.now());
    refunds::save(tx, &refund).await?;
    let purpose = if billing_states::is_renewal(tx, refund.payment_id).await? {
        Purpose::Renewal
    } else {
        Purpose::of(refund.payment_id, &order.state)
    };
    if fact.is_some()
        && let Some(posting) = ledger::refund(provider, &refund, purpose)?
    {
        store::ledger::post(tx, &posting).await?;
    }
    match fact {
        Some(RefundFact::Refunded) => {
            let closes = dependent_entitlements(tx, order, &refund).await?;
            emit::refunds::succeeded(tx, clock, order, &refund, closes).await?;
        }
        Some(RefundFact::RefundReturned) => {
            // The contract stays withdrawn when the bank returns its refund.
            let opens = if store::withdrawals::is_accepted(tx, order.order_id).await? {
                Opens::default()
            } else {
                dependent_entitlements(tx, order, &refund).await?
            };
            emit::refunds::returned(tx, clock, order, &refund, opens).await?;
        }
        Some(RefundFact::RefundFailed { .. }) | None => {}
    }
    Ok((refund, fact))
}

/// Entitlements of a one-time order that end with the refund, or open again when it is returned. Call under the order's lock.
async fn dependent_entitlements(tx: &mut PgConnection, order: &Order, refund: &Refund) -> Result<Opens> {
    if order.opens_for_good() == Opens::default() {
        return Ok(Opens::default());
    }
    let payment = payments::read(tx, refund.payment_id).await?;
    let Some(captured) = payment.captured() else {
        return Ok(Opens::default());
    };
    let refunds = refunds::of_order(tx, order.order_id).await?;
    Ok(full_refund::dependent_entitlements(
        order, captured, &refunds, refund,
    )?)
}

fn announce((refund, fact): Settled) -> Refund {
    let Refund {
        order_id, refund_id, ..
    } = refund;
    let outcome = match &fact {
        None => return refund,
        Some(RefundFact::Refunded) if refund.reason == RefundReason::Disputed => {
            tracing::warn!(order.id = %order_id, refund.id = %refund_id, "payment reversed by the buyer's bank");
            "succeeded"
        }
        Some(RefundFact::RefundReturned) if refund.reason == RefundReason::Disputed => {
            tracing::info!(order.id = %order_id, refund.id = %refund_id, "dispute won");
            "returned"
        }
        Some(RefundFact::Refunded) => {
            tracing::info!(order.id = %order_id, refund.id = %refund_id, "refund succeeded");
            "succeeded"
        }
        Some(RefundFact::RefundFailed { code }) => {
            tracing::error!(order.id = %order_id, refund.id = %refund_id, code, "refund failed");
            "failed"
        }
        Some(RefundFact::RefundReturned) => {
            tracing::error!(order.id = %order_id, refund.id = %refund_id, "refund returned");
            "returned"
        }
    };
    metrics::counter!("checkout_refunds_total", "reason" => refund.reason.name(), "outcome" => outcome)
        .increment(1);
    refund
}
