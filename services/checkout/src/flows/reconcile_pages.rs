//! Looks after open pages that no provider has told us of.

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use futures::StreamExt;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use super::Checkout;
use super::not_configured::postponed;
use super::settle_page::refresh_page;
use crate::domain::ids::PageId;
use crate::domain::schedule::backoff;
use crate::error::Result;
use crate::store::pages;

const BATCH: i64 = 20;
const AT_ONCE: usize = 4;
const LEASE: TimeDelta = TimeDelta::seconds(30);

pub async fn reconcile_pages(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    if checkout.providers.pages.is_empty() {
        return shutdown.cancelled().await;
    }
    periodic::every(every, "looking after pages", &shutdown, || {
        reconcile_due(&checkout)
    })
    .await;
}

async fn reconcile_due(checkout: &Checkout) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let due = pages::lease_due(&mut connection, checkout.clock.now(), LEASE, BATCH).await?;
    drop(connection);
    futures::stream::iter(due)
        .for_each_concurrent(AT_ONCE, |(page_id, checks)| async move {
            if let Err(error) = reconcile(checkout, page_id, checks).await {
                tracing::warn!(%error, "What became of page {page_id} is not known yet");
            }
        })
        .await;
    Ok(())
}

async fn reconcile(checkout: &Checkout, page_id: PageId, checks: i32) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let page = pages::find(&mut connection, page_id).await?;
    drop(connection);
    let Some(page) = page else { return Ok(()) };
    let outcome = refresh_page(checkout, page, checks).await;
    let now = checkout.clock.now();
    if let Err(error) = &outcome
        && let Some(until) = postponed(error, now, &format!("Page {page_id}"))
    {
        let mut connection = checkout.pool.acquire().await?;
        return Ok(pages::postpone(&mut connection, page_id, until).await?);
    }
    if outcome.is_err() {
        // It may be paid: no buyer waits for the next of the looks that become rarer while nobody pays.
        let mut connection = checkout.pool.acquire().await?;
        let soon = now + backoff(checks);
        pages::hasten(&mut connection, page_id, soon).await?;
    }
    outcome
}
