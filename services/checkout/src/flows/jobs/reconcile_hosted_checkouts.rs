//! Polls open hosted checkouts without a webhook.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use kit::reconciler::Reconciler;

use crate::domain::ids::HostedCheckoutId;
use crate::domain::payment::poll_schedule::backoff;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::hosted::settle_hosted_checkout::refresh_hosted_checkout;
use crate::flows::steps::payment::not_configured::postpone_not_configured;
use crate::store::order::hosted_checkouts::{self, QUEUE};

const LEASE: TimeDelta = TimeDelta::seconds(30);

pub struct HostedCheckoutReconciler(pub Arc<Checkout>);

#[async_trait]
impl Reconciler for HostedCheckoutReconciler {
    /// With its poll count.
    type Item = (HostedCheckoutId, i32);
    type Error = Error;
    const NAME: &'static str = "reconcile-hosted-checkouts";

    async fn lease(&self, limit: i64) -> Result<Vec<Self::Item>> {
        let Self(checkout) = self;
        if checkout.providers.hosted_checkouts().is_empty() {
            return Ok(Vec::new());
        }
        Ok(QUEUE
            .lease(&checkout.pool, checkout.clock.now(), LEASE, limit)
            .await?)
    }

    fn id((hosted_checkout_id, _): &Self::Item) -> String {
        hosted_checkout_id.to_string()
    }

    async fn process(&self, (hosted_checkout_id, poll_count): Self::Item) -> Result<()> {
        let Self(checkout) = self;
        let mut connection = checkout.pool.acquire().await?;
        let hosted = hosted_checkouts::find(&mut connection, hosted_checkout_id).await?;
        drop(connection);
        let Some(hosted) = hosted else { return Ok(()) };
        let outcome = refresh_hosted_checkout(checkout, hosted, poll_count).await;
        if outcome.is_err() {
            // It may be paid soon: polls it earlier than the growing backoff would.
            let mut connection = checkout.pool.acquire().await?;
            let soon = checkout.clock.now() + backoff(poll_count);
            hosted_checkouts::schedule_by(&mut connection, hosted_checkout_id, soon).await?;
        }
        postpone_not_configured(checkout, &QUEUE, hosted_checkout_id, outcome).await
    }
}
