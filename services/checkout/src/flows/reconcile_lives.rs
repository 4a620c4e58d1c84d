//! Looks after subscriptions that are paid or on trial: periods and trials that end, renewals the card did not pay, and
//! whatever the provider told us of.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use super::Checkout;
use super::follow_subscription::follow_subscription;
use super::not_configured::postponed;
use crate::domain::ids::OrderId;
use crate::error::Result;
use crate::store::lives;

const BATCH: i64 = 20;
const AT_ONCE: usize = 4;

pub async fn reconcile_lives(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    periodic::every(every, "looking after subscriptions", &shutdown, || {
        follow_due(&checkout)
    })
    .await;
}

/// One round over what is due now.
async fn follow_due(checkout: &Checkout) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let now = checkout.clock.now();
    let due = lives::lease_due(&mut connection, now, checkout.patience.0, BATCH).await?;
    drop(connection);

    futures::stream::iter(due)
        .for_each_concurrent(AT_ONCE, |order_id| async move {
            if let Err(error) = follow(checkout, order_id).await {
                tracing::warn!(order.id = %order_id, %error, "The subscription of order {order_id} could not be looked after yet");
            }
        })
        .await;
    Ok(())
}

async fn follow(checkout: &Checkout, order_id: OrderId) -> Result<()> {
    let Err(error) = follow_subscription(checkout, order_id).await else {
        return Ok(());
    };
    let work = format!("The subscription of order {order_id}");
    let Some(until) = postponed(&error, checkout.clock.now(), &work) else {
        return Err(error);
    };
    let mut connection = checkout.pool.acquire().await?;
    Ok(lives::postpone(&mut connection, order_id, until).await?)
}
