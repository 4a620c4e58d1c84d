//! Reconciles refunds: planned ones, unknown outcomes, and those that a webhook reported.

use std::sync::Arc;

use async_trait::async_trait;
use kit::reconciler::Reconciler;

use crate::domain::payment::poll_schedule::backoff;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::not_configured::postpone_not_configured;
use crate::flows::steps::refund::submit_refunds::{RefundsProgress, submit_refunds};
use crate::store::refund::refund_reconciliations::{self, QUEUE, RefundReconciliation};

pub struct RefundReconciler(pub Arc<Checkout>);

#[async_trait]
impl Reconciler for RefundReconciler {
    type Item = RefundReconciliation;
    type Error = Error;
    const NAME: &'static str = "reconcile-refunds";

    async fn lease(&self, limit: i64) -> Result<Vec<RefundReconciliation>> {
        let Self(checkout) = self;
        let (now, lease) = (checkout.clock.now(), checkout.in_flight_timeout.0);
        Ok(QUEUE.lease(&checkout.pool, now, lease, limit).await?)
    }

    fn id(reconciliation: &RefundReconciliation) -> String {
        reconciliation.payment_id.to_string()
    }

    async fn process(&self, reconciliation: RefundReconciliation) -> Result<()> {
        let Self(checkout) = self;
        let payment_id = reconciliation.payment_id;
        let outcome = submit_refunds(checkout, payment_id).await;
        if matches!(outcome, Ok(RefundsProgress::Done)) {
            let mut connection = checkout.pool.acquire().await?;
            return Ok(refund_reconciliations::end(&mut connection, reconciliation).await?);
        }
        let again = checkout.clock.now() + backoff(reconciliation.poll_count);
        QUEUE.postpone(&checkout.pool, payment_id, again).await?;
        postpone_not_configured(checkout, &QUEUE, payment_id, outcome.map(drop)).await
    }
}
