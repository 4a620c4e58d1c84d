//! Somebody of ours finds out what a withdrawal is about and accepts it: what was paid within the period goes back, and the
//! subscription ends. Here it is only committed to; a running service carries both out, as refunds and wishes are.

use kit::clock::Clock;
use kit::database::Pool;
use kit::money::Money;
use sqlx::PgConnection;

use crate::domain::ids::{OrderId, RefundId, SubscriptionId, WishId, WithdrawalId};
use crate::domain::order::{Order, OrderKind};
use crate::domain::refund::{self, Claim, RefundReason};
use crate::domain::wish::{StoredWish, Wish, WishState};
use crate::domain::withdrawal::{self, Accepted, Returning, Withdrawal};
use crate::emit;
use crate::error::{Error, Result};
use crate::store::{
    lives, orders, payments, refund_watches, refunds, renewals, subscriptions, wishes, withdrawals,
};

/// Whoever accepts it again for the same order hears of the same acceptance.
pub async fn accept_withdrawal(
    pool: &Pool,
    clock: &Clock,
    withdrawal_id: WithdrawalId,
    order_id: OrderId,
) -> Result<Accepted> {
    let mut tx = pool.begin().await?;
    // The order first, as everybody else does.
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
    let what = (&order, subscription_id);
    emit::withdrawals::accepted(&mut tx, clock, &withdrawal, what, &accepted).await?;
    tx.commit().await?;
    Ok(accepted)
}

/// All that is left of each payment.
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
    for Returning { payment_id, captured } in withdrawal::returning(&first, &later, withdrawal.received_at) {
        let mut of_payment = known.clone();
        of_payment.retain(|refund| refund.payment_id == payment_id);
        let left = refund::left(captured, &of_payment)?;
        if left.minor <= 0 {
            continue;
        }
        let claim = Claim {
            order_id: order.order_id,
            payment_id,
            reason: RefundReason::Requested,
        };
        refunds::insert_intent(tx, &refund::intend(RefundId::new(now), claim, left, now)).await?;
        refund_watches::make_due(tx, payment_id).await?;
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
    let Some(_) = lives::lock(tx, subscription_id).await? else {
        return Err(crate::domain::wish::Refusal::NotBegun.into());
    };
    match wishes::open(tx, subscription_id).await? {
        Some(open) if open.wish == Wish::End => {}
        Some(_) => return Err(Error::ChangeInProgress),
        None => {
            let now = clock.now();
            let wish_id = WishId::new(now);
            let stored = StoredWish {
                wish_id,
                subscription_id,
                wish: Wish::End,
                idempotency_key: format!("wish-{wish_id}"),
                state: WishState::Open,
                created_at: now,
            };
            wishes::insert(tx, &stored).await?;
        }
    }
    lives::make_due(tx, order.order_id).await?;
    Ok(Some(subscription_id))
}
