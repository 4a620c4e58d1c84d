//! What checkout needs from a payment provider.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::money::Money;

use crate::domain::buyer::Buyer;
use crate::domain::campaign::Terms;
use crate::domain::ids::{OrderId, PaymentId, RefundId};
use crate::domain::notice::Notice;
use crate::domain::payment::Decline;
use crate::domain::refund::{RefundReason, RefundSnapshot};
use crate::domain::report::Snapshot;

/// Subscriptions at a provider. Whoever repeats a call with the same idempotency key must send the same words.
#[async_trait]
pub trait SubscriptionProvider: Send + Sync + 'static {
    async fn create_customer(&self, buyer: &Buyer) -> Result<String, ProviderError>;

    /// Every customer the provider has of this buyer, whether or not we were told of it.
    async fn find_customers(&self, buyer: &Buyer) -> Result<Vec<String>, ProviderError>;

    /// For good, and their subscriptions with them. `NotFound` when it is gone already.
    async fn delete_customer(&self, provider_customer_id: &str) -> Result<(), ProviderError>;

    /// Gives the card to the customer and returns the id it is charged by.
    async fn attach_card(&self, card: &NewCard) -> Result<String, ProviderError>;

    /// Creates the subscription and charges its first invoice, when one is due.
    async fn create_subscription(&self, subscription: &NewSubscription) -> Result<Snapshot, ProviderError>;

    async fn fetch_subscription(&self, provider_subscription_id: &str) -> Result<Snapshot, ProviderError>;

    /// Looks for what `payment_id` created, when its answer was lost.
    async fn find_subscription(
        &self,
        provider_customer_id: &str,
        payment_id: PaymentId,
    ) -> Result<Option<Snapshot>, ProviderError>;

    /// Closes it, so that it can never be charged again.
    async fn cancel_subscription(&self, provider_subscription_id: &str) -> Result<Snapshot, ProviderError>;
}

/// Money back from a provider.
#[async_trait]
pub trait RefundProvider: Send + Sync + 'static {
    /// Gives back what an intent captured, or a part of it.
    async fn refund(&self, refund: &NewRefund) -> Result<RefundSnapshot, ProviderError>;

    /// Every refund of the intent, whoever made it.
    async fn list_refunds(&self, provider_intent_id: &str) -> Result<Vec<RefundSnapshot>, ProviderError>;
}

#[async_trait]
pub trait PriceProvider: Send + Sync + 'static {
    /// Finds the price by its lookup key or creates it, and returns the provider's id.
    async fn ensure_price(&self, terms: &Terms) -> Result<String, ProviderError>;
}

pub trait WebhookReader: Send + Sync + 'static {
    /// Proves that the provider wrote this, recently, and says what it is about.
    fn read(&self, body: &[u8], signature: &str, now: DateTime<Utc>) -> Result<Notice, WebhookFault>;

    /// What one is about that was proven when it was stored.
    fn read_stored(&self, body: &[u8]) -> Result<Notice, WebhookFault>;
}

#[derive(Debug, Clone)]
pub struct NewCard {
    pub provider_customer_id: String,
    pub payment_method_id: String,
    pub idempotency_key: String,
}

#[derive(Debug, Clone)]
pub struct NewSubscription {
    pub payment_id: PaymentId,
    pub order_id: OrderId,
    pub provider_customer_id: String,
    pub provider_price_id: String,
    pub payment_method_id: String,
    pub trial_days: i32,
    pub idempotency_key: String,
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

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookFault {
    #[error("the signature does not match")]
    Forged,
    #[error("the signature is too old")]
    TooOld,
    #[error("the body is not an event")]
    Unreadable,
}

/// Why a call gave no result, by what is known of its effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The bank says no; nothing was taken.
    #[error("declined: {}", .0.code)]
    Declined(Decline),
    /// The request was refused as it is; nothing was done, and repeating it will not help.
    #[error("refused: {code}: {detail}")]
    Rejected { code: String, detail: String },
    #[error("there is no such object")]
    NotFound,
    /// This call had no effect: no connection, no access, or too many calls.
    #[error("not reached: {0}")]
    Unreached(String),
    /// The same request, by its key, is being worked on right now.
    #[error("in progress")]
    InProgress,
    /// It may or may not have had its effect.
    #[error("no answer: {0}")]
    NoAnswer(String),
}
