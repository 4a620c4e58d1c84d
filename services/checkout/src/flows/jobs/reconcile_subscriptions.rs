//! Syncs due subscriptions: ending periods and trials, overdue renewals, and
//! webhook updates.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use crate::domain::ids::OrderId;
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::payment::not_configured::postponed;
use crate::flows::steps::subscription::sync_subscription::sync_subscription;
use crate::store::subscription::billing_states;

const BATCH: i64 = 20;
const AT_ONCE: usize = 4;

pub async fn reconcile_subscriptions(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    periodic::every(every, "looking after subscriptions", &shutdown, || {
        sync_due(&checkout)
    })
    .await;
}

/// One round over what is due now.
async fn sync_due(checkout: &Checkout) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let now = checkout.clock.now();
    let due = billing_states::lease_due(&mut connection, now, checkout.in_flight_timeout.0, BATCH).await?;
    drop(connection);

    futures::stream::iter(due)
        .for_each_concurrent(AT_ONCE, |order_id| async move {
            if let Err(error) = sync_leased(checkout, order_id).await {
                tracing::warn!(order.id = %order_id, %error, "subscription of order {order_id} not synced; retrying later");
            }
        })
        .await;
    Ok(())
}

async fn sync_leased(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let Err(error) = sync_subscription(checkout, order_id).await else {
        return Ok(());
    };
    let work = format!("The subscription of order {order_id}");
    let Some(until) = postponed(&error, checkout.clock.now(), &work) else {
        return Err(error);
    };
    let mut connection = checkout.pool.acquire().await?;
    Ok(billing_states::postpone(&mut connection, order_id, until).await?)
}
