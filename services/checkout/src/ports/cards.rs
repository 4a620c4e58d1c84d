//! Cards that our own page collects, and the subscriptions they pay.

use async_trait::async_trait;

use super::ProviderError;
use crate::domain::ids::{OrderId, PaymentId};
use crate::domain::payment::provider_result::PaymentSnapshot;
use crate::domain::pricing::bin::IssuedCard;

/// A repeated call with the same idempotency key must send the same parameters.
#[async_trait]
pub trait CardProvider: Send + Sync + 'static {
    /// What is known of a card that was made in the browser. `NotFound` for what is no card.
    async fn fetch_card(&self, payment_method_id: &str) -> Result<IssuedCard, ProviderError>;

    /// Gives the card to the customer.
    async fn attach_card(&self, card: &NewCard) -> Result<AttachedCard, ProviderError>;

    /// Creates the subscription and charges its first invoice, when one is due.
    async fn create_subscription(
        &self,
        subscription: &NewSubscription,
    ) -> Result<PaymentSnapshot, ProviderError>;
}

#[derive(Debug, Clone)]
pub struct NewCard {
    pub provider_customer_id: String,
    pub payment_method_id: String,
    pub idempotency_key: String,
}

#[derive(Debug, Clone)]
pub struct AttachedCard {
    /// What it is charged by.
    pub payment_method_id: String,
    /// The same for every customer who gives this card. `None`: the provider does not name it.
    pub fingerprint: Option<String>,
}

#[derive(Debug, Clone)]
pub struct NewSubscription {
    pub payment_id: PaymentId,
    pub order_id: OrderId,
    pub provider_customer_id: String,
    pub provider_price_id: String,
    pub payment_method_id: String,
    /// Of a co-branded card; for this charge and those that follow.
    pub card_network: Option<String>,
    pub trial_days: i32,
    pub idempotency_key: String,
}
