//! State of a payment and its subscription, at any provider.

use async_trait::async_trait;

use super::ProviderError;
use crate::domain::ids::PaymentId;
use crate::domain::payment::provider_result::PaymentSnapshot;

#[async_trait]
pub trait SubscriptionProvider: Send + Sync + 'static {
    async fn fetch_subscription(
        &self,
        provider_subscription_id: &str,
    ) -> Result<PaymentSnapshot, ProviderError>;

    /// Looks for what `payment_id` created, when its answer was lost.
    async fn find_subscription(
        &self,
        // Whom it was created for, where the provider keeps customers.
        provider_customer_id: Option<&str>,
        payment_id: PaymentId,
    ) -> Result<Option<PaymentSnapshot>, ProviderError>;

    /// Closes it, so that it can never be charged again.
    async fn cancel_subscription(
        &self,
        provider_subscription_id: &str,
    ) -> Result<PaymentSnapshot, ProviderError>;
}
