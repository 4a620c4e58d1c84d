//! One-time payments: opened by checkout, paid on the buyer's page or at once with a saved card.

use async_trait::async_trait;
use kit::money::Money;

use super::ProviderError;
use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::payment::intent::IntentSnapshot;

/// A repeated call with the same idempotency key must send the same parameters.
#[async_trait]
pub trait IntentProvider: Send + Sync + 'static {
    async fn create_intent(&self, intent: &NewIntent) -> Result<IntentSnapshot, ProviderError>;

    async fn fetch_intent(&self, provider_intent_id: &str) -> Result<IntentSnapshot, ProviderError>;

    /// Looks for what `payment_id` created, when its answer was lost.
    async fn find_intent(&self, payment_id: PaymentId) -> Result<Option<IntentSnapshot>, ProviderError>;

    /// Closes it, so that it can never be charged. `Rejected` when it has been, or is closed already.
    async fn cancel_intent(&self, provider_intent_id: &str) -> Result<IntentSnapshot, ProviderError>;

    /// The customer's latest saved card.
    async fn saved_card(&self, provider_customer_id: &str) -> Result<Option<SavedCard>, ProviderError>;
}

#[derive(Debug, Clone)]
pub struct NewIntent {
    pub payment_id: PaymentId,
    pub order_id: OrderId,
    pub amount: Money,
    /// `None` for a guest.
    pub provider_customer_id: Option<String>,
    pub card: Card,
    pub later: Later,
    pub idempotency_key: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Card {
    /// The buyer's page collects and confirms it.
    OfThePage,
    /// A saved card: charged at once, on session.
    Known(String),
}

/// Future use of the card.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Later {
    Nothing,
    /// Off-session charges.
    OffSession,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedCard {
    pub payment_method_id: String,
    pub last4: String,
}
