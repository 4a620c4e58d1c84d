//! Syncs due subscriptions: ending periods and trials, overdue renewals, and
//! webhook updates.

use std::sync::Arc;

use async_trait::async_trait;
use kit::reconciler::Reconciler;

use crate::domain::ids::{OrderId, SubscriptionId};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::steps::payment::not_configured::postpone_not_configured;
use crate::flows::steps::subscription::sync_subscription::sync_subscription;
use crate::store::subscription::billing_states::QUEUE;

pub struct SubscriptionReconciler(pub Arc<Checkout>);

#[async_trait]
impl Reconciler for SubscriptionReconciler {
    type Item = (SubscriptionId, OrderId);
    type Error = Error;
    const NAME: &'static str = "reconcile-subscriptions";

    async fn lease(&self, limit: i64) -> Result<Vec<Self::Item>> {
        let Self(checkout) = self;
        let (now, lease) = (checkout.clock.now(), checkout.in_flight_timeout.0);
        Ok(QUEUE.lease(&checkout.pool, now, lease, limit).await?)
    }

    fn id((_, order_id): &Self::Item) -> String {
        order_id.to_string()
    }

    async fn process(&self, (subscription_id, order_id): Self::Item) -> Result<()> {
        let outcome = sync_subscription(&self.0, order_id).await;
        postpone_not_configured(&self.0, &QUEUE, subscription_id, outcome.map(drop)).await
    }
}
