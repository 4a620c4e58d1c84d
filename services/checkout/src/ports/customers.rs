//! The buyers a provider keeps for us.

use async_trait::async_trait;

use super::ProviderError;
use crate::domain::buyer::Buyer;

#[async_trait]
pub trait CustomerProvider: Send + Sync + 'static {
    async fn create_customer(&self, buyer: &Buyer) -> Result<String, ProviderError>;

    /// Every customer the provider has of this buyer, whether or not we were told of it.
    async fn find_customers(&self, buyer: &Buyer) -> Result<Vec<String>, ProviderError>;

    /// For good, and their subscriptions with them. `NotFound` when it is gone already.
    async fn delete_customer(&self, provider_customer_id: &str) -> Result<(), ProviderError>;
}
