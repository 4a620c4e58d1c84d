//! Customers at a provider.

use async_trait::async_trait;

use super::ProviderError;
use crate::domain::order::buyer::Buyer;

#[async_trait]
pub trait CustomerProvider: Send + Sync + 'static {
    async fn create_customer(&self, buyer: &Buyer) -> Result<String, ProviderError>;

    /// Every customer of this buyer, including those whose response was lost.
    async fn find_customers(&self, buyer: &Buyer) -> Result<Vec<String>, ProviderError>;

    /// Deletes the customer with its subscriptions. `NotFound` when it is already deleted.
    async fn delete_customer(&self, provider_customer_id: &str) -> Result<(), ProviderError>;
}
