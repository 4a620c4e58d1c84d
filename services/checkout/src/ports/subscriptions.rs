//! What has become of a payment and of the subscription it began, whoever takes the money.

use async_trait::async_trait;

use super::ProviderError;
use crate::domain::ids::PaymentId;
use crate::domain::report::Snapshot;

#[async_trait]
pub trait SubscriptionProvider: Send + Sync + 'static {
    async fn fetch_subscription(&self, provider_subscription_id: &str) -> Result<Snapshot, ProviderError>;

    /// Looks for what `payment_id` created, when its answer was lost.
    async fn find_subscription(
        &self,
        // Whom it was created for, where the provider keeps customers.
        provider_customer_id: Option<&str>,
        payment_id: PaymentId,
    ) -> Result<Option<Snapshot>, ProviderError>;

    /// Closes it, so that it can never be charged again.
    async fn cancel_subscription(&self, provider_subscription_id: &str) -> Result<Snapshot, ProviderError>;
}
