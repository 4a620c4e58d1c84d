//! Money back from a provider.

use async_trait::async_trait;
use kit::money::Money;

use super::ProviderError;
use crate::domain::ids::{OrderId, RefundId};
use crate::domain::refund::{Refund, RefundReason, RefundSnapshot};

#[async_trait]
pub trait RefundProvider: Send + Sync + 'static {
    /// Gives back what an intent captured, or a part of it.
    async fn refund(&self, refund: &NewRefund) -> Result<RefundSnapshot, ProviderError>;

    /// Every refund of the intent, whoever made it, and what the buyer's bank took back.
    async fn list_refunds(
        &self,
        provider_intent_id: &str,
        // What we know of, for a provider that tells only the sum.
        known: &[Refund],
    ) -> Result<Vec<RefundSnapshot>, ProviderError>;

    /// Of which intent a buyer's bank took this back, for a provider whose news do not say it.
    async fn reversed_intent(&self, _reversal_id: &str) -> Result<String, ProviderError> {
        Err(ProviderError::NotFound)
    }
}

#[derive(Debug, Clone)]
pub struct NewRefund {
    pub refund_id: RefundId,
    pub order_id: OrderId,
    pub provider_intent_id: String,
    pub amount: Money,
    pub reason: RefundReason,
    pub idempotency_key: String,
}
