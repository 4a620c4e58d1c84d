//! Refunds at a provider.

use async_trait::async_trait;
use kit::money::Money;

use super::ProviderError;
use crate::domain::ids::{OrderId, RefundId};
use crate::domain::refund::{Refund, RefundReason, RefundSnapshot};

#[async_trait]
pub trait RefundProvider: Send + Sync + 'static {
    /// Gives back what an intent captured, or a part of it.
    async fn refund(&self, refund: &NewRefund) -> Result<RefundSnapshot, ProviderError>;

    /// Every refund of the intent, including manual ones and reversals by the buyer's bank.
    async fn list_refunds(
        &self,
        provider_intent_id: &str,
        // Stored refunds, for a provider that returns only the sum.
        known: &[Refund],
    ) -> Result<Vec<RefundSnapshot>, ProviderError>;

    /// The intent of a reversal, for a provider whose webhooks do not name it.
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
