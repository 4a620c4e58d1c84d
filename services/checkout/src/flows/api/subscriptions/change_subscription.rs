//! Changes a subscription. The change is stored before the provider is called, so that a lost response, a crash or
//! a second click end in one change. Any process that finds a pending change submits it with its key.

use super::preview_plan::{Planned, planned};
use crate::domain::ids::{ChangeId, OrderId, SubscriptionId, UserId};
use crate::domain::subscription::subscription_change::{
    ChangeDecision, ChangeState, StoredChange, SubscriptionChange, check_supported, decide,
};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::subscription::bill_subscription;
use crate::flows::steps::subscription::submit_pending_change::lock;
use crate::flows::steps::subscription::sync_subscription::sync_subscription;
use crate::store::subscription::{billing_states, subscription_changes, subscriptions};

/// Returns when the change is applied, refused, or left to the reconciler.
pub async fn change_subscription(
    checkout: &Checkout,
    user_id: &UserId,
    subscription_id: SubscriptionId,
    change: SubscriptionChange,
) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let order_id = subscriptions::find_order(&mut connection, subscription_id, user_id)
        .await?
        .ok_or(Error::UnknownSubscription)?;
    drop(connection);
    if let SubscriptionChange::Plan { .. } = &change {
        check_shown(checkout, order_id, &change).await?;
    }
    let Some(change_id) = insert_change(checkout, order_id, change).await? else {
        return Ok(());
    };

    let carrying_out = sync_subscription(checkout, order_id);
    match tokio::time::timeout(checkout.remaining_response_budget(), carrying_out).await {
        Ok(Ok(())) => {}
        Ok(Err(Error::Provider(error))) => {
            tracing::warn!(order.id = %order_id, %error, "subscription change not applied; reconcile_subscriptions retries it");
        }
        Ok(Err(error)) => return Err(error),
        Err(_) => {
            tracing::warn!(order.id = %order_id, "subscription change in flight after the response budget; reconcile_subscriptions completes it");
        }
    }
    let mut connection = checkout.pool.acquire().await?;
    match subscription_changes::read(&mut connection, change_id)
        .await?
        .state
    {
        ChangeState::Refused { code, .. } => Err(Error::ChangeRefused { code }),
        ChangeState::Open | ChangeState::Done { .. } => Ok(()),
    }
}

/// The previewed amount must equal the charged amount.
async fn check_shown(checkout: &Checkout, order_id: OrderId, change: &SubscriptionChange) -> Result<()> {
    let SubscriptionChange::Plan {
        price_id,
        prorated_at,
        shown,
    } = change
    else {
        return Ok(());
    };
    let Planned { due_now, .. } = planned(checkout, order_id, *price_id, *prorated_at).await?;
    if due_now == *shown {
        Ok(())
    } else {
        Err(Error::PreviewExpired)
    }
}

/// `None`: it is so already.
async fn insert_change(
    checkout: &Checkout,
    order_id: OrderId,
    change: SubscriptionChange,
) -> Result<Option<ChangeId>> {
    let now = checkout.clock.now();
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let (purchase, mut billing) = lock(&mut tx, order_id).await?;
    if let Some(open) = subscription_changes::open(&mut tx, billing.subscription_id).await? {
        return if open.change == change {
            Ok(Some(open.change_id))
        } else {
            Err(Error::ChangeInProgress)
        };
    }
    if decide(&change, &purchase.subscription.state, &billing, now)? == ChangeDecision::AlreadyApplied {
        return Ok(None);
    }
    check_supported(purchase.payment.provider, change.kind())?;
    bill_subscription::check_change(&mut tx, &purchase, &change).await?;
    let change_id = ChangeId::new(now);
    let stored = StoredChange {
        change_id,
        subscription_id: billing.subscription_id,
        change,
        idempotency_key: format!("change-{change_id}"),
        state: ChangeState::Open,
        created_at: now,
    };
    subscription_changes::insert(&mut tx, &stored).await?;
    // The reconciler submits it if this process stops.
    billing.due_at = Some(now + checkout.in_flight_timeout.0);
    billing.sync_attempts = 0;
    billing_states::save(&mut tx, &billing).await?;
    tx.commit().await?;
    Ok(Some(change_id))
}
