//! Accepts a withdrawal for an order: refunds what was paid within the period and ends the
//! subscription. Both are only stored here; the reconcilers execute them.

use kit::clock::Clock;
use kit::database::Pool;
use kit::money::Money;
use sqlx::PgConnection;

use crate::domain::ids::{ChangeId, OrderId, RefundId, SubscriptionId, WithdrawalId};
use crate::domain::order::{Order, OrderKind};
use crate::domain::refund::{self, RefundReason, RefundTarget};
use crate::domain::subscription::subscription_change::{ChangeState, StoredChange, SubscriptionChange};
use crate::domain::withdrawal::{self, Accepted, PaymentToRefund, Withdrawal};
use crate::emit;
use crate::emit::withdrawals::WithdrawnOrder;
use crate::error::{Error, Result};
use crate::store::order::orders;
use crate::store::payment::{payments, renewals};
use crate::store::refund::{refund_reconciliations, refunds};
use crate::store::subscription::{billing_states, subscription_changes, subscriptions};
use crate::store::withdrawals;

/// Idempotent for the same order.
pub async fn accept_withdrawal(
    pool: &Pool,
    clock: &Clock,
    withdrawal_id: WithdrawalId,
    order_id: OrderId,
) -> Result<Accepted> {
    let mut tx = kit::database::begin(pool).await?;
    // Every transaction locks the order first.
    let order = orders::find_locked(&mut tx, order_id).await?;
    let order = order.ok_or(Error::UnknownOrder)?;
    let withdrawal = withdrawals::lock(&mut tx, withdrawal_id).await?;
    let withdrawal = withdrawal.ok_or(Error::UnknownWithdrawal)?;
    match withdrawal.accepted {
        Some(accepted) if accepted.order_id == order_id => return Ok(accepted),
        Some(_) => return Err(Error::WithdrawalSettled),
        None => {}
    }

    let given = give_back(&mut tx, clock, &order, &withdrawal).await?;
    let subscription_id = end(&mut tx, clock, &order).await?;
    let accepted = Accepted {
        order_id,
        at: clock.now(),
        refunded: withdrawal::sum(&given)?,
    };
    withdrawals::accept(&mut tx, withdrawal_id, &accepted).await?;
    let withdrawn = WithdrawnOrder {
        order: &order,
        subscription_id,
    };
    emit::withdrawals::accepted(&mut tx, clock, &withdrawal, &withdrawn, &accepted).await?;
    tx.commit().await?;
    Ok(accepted)
}

/// Refunds the remaining amount of each payment.
async fn give_back(
    tx: &mut PgConnection,
    clock: &Clock,
    order: &Order,
    withdrawal: &Withdrawal,
) -> Result<Vec<Money>> {
    let first = payments::of_order(tx, order.order_id).await?;
    let later = renewals::of_order(tx, order.order_id).await?;
    let known = refunds::of_order(tx, order.order_id).await?;
    let now = clock.now();
    let mut given = Vec::new();
    for PaymentToRefund { payment_id, captured } in
        withdrawal::payments_to_refund(&first, &later, withdrawal.received_at)
    {
        let mut of_payment = known.clone();
        of_payment.retain(|refund| refund.payment_id == payment_id);
        let left = refund::refundable(captured, &of_payment)?;
        if left.minor <= 0 {
            continue;
        }
        let claim = RefundTarget {
            order_id: order.order_id,
            payment_id,
            reason: RefundReason::Requested,
        };
        refunds::insert_intent(tx, &refund::intend(RefundId::new(now), claim, left, now)).await?;
        refund_reconciliations::schedule_now(tx, payment_id).await?;
        given.push(left);
    }
    Ok(given)
}

/// `None` where there is no subscription.
async fn end(tx: &mut PgConnection, clock: &Clock, order: &Order) -> Result<Option<SubscriptionId>> {
    if order.kind != OrderKind::Subscription {
        return Ok(None);
    }
    let subscription = subscriptions::of_order(tx, order.order_id).await?;
    let subscription_id = subscription.subscription_id;
    if subscription.state.has_ended() {
        return Ok(Some(subscription_id));
    }
    let Some(_) = billing_states::lock(tx, subscription_id).await? else {
        return Err(crate::domain::subscription::subscription_change::Refusal::NotActive.into());
    };
    match subscription_changes::open(tx, subscription_id).await? {
        Some(open) if open.change == SubscriptionChange::TerminateNow => {}
        Some(_) => return Err(Error::ChangeInProgress),
        None => {
            let now = clock.now();
            let change_id = ChangeId::new(now);
            let stored = StoredChange {
                change_id,
                subscription_id,
                change: SubscriptionChange::TerminateNow,
                idempotency_key: format!("change-{change_id}"),
                state: ChangeState::Open,
                created_at: now,
            };
            subscription_changes::insert(tx, &stored).await?;
        }
    }
    billing_states::schedule_now(tx, order.order_id).await?;
    Ok(Some(subscription_id))
}
