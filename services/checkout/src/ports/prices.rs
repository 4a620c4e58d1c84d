//! Prices that a provider wants to know before it charges them.

use async_trait::async_trait;

use super::ProviderError;
use crate::domain::pricing::campaign::Terms;

#[async_trait]
pub trait PriceProvider: Send + Sync + 'static {
    /// Finds the price by its lookup key or creates it, and returns the provider's id.
    async fn ensure_price(&self, terms: &Terms) -> Result<String, ProviderError>;
}
