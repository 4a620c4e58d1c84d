//! Reconciles refunds: planned ones, unknown outcomes, and those that a webhook reported.

use std::sync::Arc;
use std::time::Duration;

use futures::StreamExt;
use kit::periodic;
use tokio_util::sync::CancellationToken;

use crate::domain::payment::poll_schedule;
use crate::error::Result;
use crate::flows::Checkout;
use crate::flows::steps::payment::not_configured::postponed;
use crate::flows::steps::refund::submit_refunds::{RefundsProgress, submit_refunds};
use crate::store::refund::refund_reconciliations::{self, RefundReconciliation};

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
    let due =
        refund_reconciliations::lease_due(&mut connection, now, checkout.in_flight_timeout.0, BATCH).await?;
    drop(connection);

    futures::stream::iter(due)
        .for_each_concurrent(AT_ONCE, |reconciliation| async move {
            let payment_id = reconciliation.payment_id;
            if let Err(error) = reconcile(checkout, reconciliation).await {
                tracing::warn!(%error, "refunds of payment {payment_id} not reconciled; retrying later");
            }
        })
        .await;
    Ok(())
}

async fn reconcile(checkout: &Checkout, reconciliation: RefundReconciliation) -> Result<()> {
    let outcome = submit_refunds(checkout, reconciliation.payment_id).await;
    let mut connection = checkout.pool.acquire().await?;
    let now = checkout.clock.now();
    match &outcome {
        Ok(RefundsProgress::Done) => refund_reconciliations::end(&mut connection, reconciliation).await?,
        Ok(_) => {
            refund_reconciliations::postpone(
                &mut connection,
                reconciliation,
                now + poll_schedule::backoff(reconciliation.poll_count),
            )
            .await?;
        }
        Err(error) => {
            let work = format!("The refund of payment {}", reconciliation.payment_id);
            let postponed = postponed(error, now, &work);
            let until = postponed.unwrap_or_else(|| now + poll_schedule::backoff(reconciliation.poll_count));
            refund_reconciliations::postpone(&mut connection, reconciliation, until).await?;
            if postponed.is_some() {
                return Ok(());
            }
        }
    }
    outcome.map(drop)
}
