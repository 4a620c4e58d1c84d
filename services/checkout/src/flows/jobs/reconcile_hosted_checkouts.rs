//! Polls open hosted checkouts without a webhook.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures::StreamExt;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use crate::domain::ids::HostedCheckoutId;
use crate::domain::payment::poll_schedule::backoff;
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::hosted::settle_hosted_checkout::refresh_hosted_checkout;
use crate::flows::steps::payment::not_configured::postponed;
use crate::store::order::hosted_checkouts;

const BATCH: i64 = 20;
const AT_ONCE: usize = 4;
const LEASE: TimeDelta = TimeDelta::seconds(30);

pub async fn reconcile_hosted_checkouts(
    checkout: Arc<Checkout>,
    every: Duration,
    shutdown: CancellationToken,
) {
    if checkout.providers.hosted_checkouts.is_empty() {
        return shutdown.cancelled().await;
    }
    periodic::every(every, "looking after pages", &shutdown, || {
        reconcile_due(&checkout)
    })
    .await;
}

async fn reconcile_due(checkout: &Checkout) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let due = hosted_checkouts::lease_due(&mut connection, checkout.clock.now(), LEASE, BATCH).await?;
    drop(connection);
    futures::stream::iter(due)
        .for_each_concurrent(AT_ONCE, |(hosted_checkout_id, poll_count)| async move {
            if let Err(error) = reconcile(checkout, hosted_checkout_id, poll_count).await {
                tracing::warn!(%error, "hosted checkout {hosted_checkout_id} not refreshed; retrying later");
            }
        })
        .await;
    Ok(())
}

async fn reconcile(checkout: &Checkout, hosted_checkout_id: HostedCheckoutId, poll_count: i32) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let hosted = hosted_checkouts::find(&mut connection, hosted_checkout_id).await?;
    drop(connection);
    let Some(hosted) = hosted else { return Ok(()) };
    let outcome = refresh_hosted_checkout(checkout, hosted, poll_count).await;
    let now = checkout.clock.now();
    if let Err(error) = &outcome
        && let Some(until) = postponed(error, now, &format!("Page {hosted_checkout_id}"))
    {
        let mut connection = checkout.pool.acquire().await?;
        return Ok(hosted_checkouts::postpone(&mut connection, hosted_checkout_id, until).await?);
    }
    if outcome.is_err() {
        // It may be paid soon: polls it earlier than the growing backoff would.
        let mut connection = checkout.pool.acquire().await?;
        let soon = now + backoff(poll_count);
        hosted_checkouts::schedule_by(&mut connection, hosted_checkout_id, soon).await?;
    }
    outcome
}
