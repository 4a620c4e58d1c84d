//! Money back from a provider.

use async_trait::async_trait;
use kit::money::Money;

use super::ProviderError;
use crate::domain::ids::{OrderId, RefundId};
use crate::domain::refund::{RefundReason, RefundSnapshot};

#[async_trait]
pub trait RefundProvider: Send + Sync + 'static {
    /// Gives back what an intent captured, or a part of it.
    async fn refund(&self, refund: &NewRefund) -> Result<RefundSnapshot, ProviderError>;

    /// Every refund of the intent, whoever made it.
    async fn list_refunds(&self, provider_intent_id: &str) -> Result<Vec<RefundSnapshot>, ProviderError>;
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
