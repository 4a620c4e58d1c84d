//! Looks after refunds: those that are planned, those without an outcome, and those the provider told us of.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use super::Checkout;
use super::not_configured::postponed;
use super::pursue_refunds::{Pursuit, pursue_refunds};
use crate::domain::schedule;
use crate::error::Result;
use crate::store::refund_watches::{self, Watch};

const BATCH: i64 = 20;
const AT_ONCE: usize = 4;

pub async fn reconcile_refunds(checkout: Arc<Checkout>, every: Duration, shutdown: CancellationToken) {
    periodic::every(every, "looking after refunds", &shutdown, || {
        reconcile_due(&checkout)
    })
    .await;
}

/// One round over what is due now.
async fn reconcile_due(checkout: &Checkout) -> Result<()> {
    let mut connection = checkout.pool.acquire().await?;
    let now = checkout.clock.now();
    let due = refund_watches::lease_due(&mut connection, now, checkout.patience.0, BATCH).await?;
    drop(connection);

    futures::stream::iter(due)
        .for_each_concurrent(AT_ONCE, |watch| async move {
            let payment_id = watch.payment_id;
            if let Err(error) = reconcile(checkout, watch).await {
                tracing::warn!(%error, "The refunds of payment {payment_id} could not be looked after yet");
            }
        })
        .await;
    Ok(())
}

async fn reconcile(checkout: &Checkout, watch: Watch) -> Result<()> {
    let outcome = pursue_refunds(checkout, watch.payment_id).await;
    let mut connection = checkout.pool.acquire().await?;
    let now = checkout.clock.now();
    match &outcome {
        Ok(Pursuit::Over) => refund_watches::end(&mut connection, watch).await?,
        Ok(_) => {
            refund_watches::postpone(&mut connection, watch, now + schedule::backoff(watch.poll_count))
                .await?;
        }
        Err(error) => {
            let work = format!("The refund of payment {}", watch.payment_id);
            let postponed = postponed(error, now, &work);
            let until = postponed.unwrap_or_else(|| now + schedule::backoff(watch.poll_count));
            refund_watches::postpone(&mut connection, watch, until).await?;
            if postponed.is_some() {
                return Ok(());
            }
        }
    }
    outcome.map(drop)
}
