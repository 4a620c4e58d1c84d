//! What a provider charges by itself, period after period.

use async_trait::async_trait;

use super::ProviderError;
use crate::domain::life::Showing;

/// Whoever repeats a call with the same idempotency key must send the same words.
#[async_trait]
pub trait InvoiceProvider: Send + Sync + 'static {
    /// The subscription with its invoices.
    async fn fetch_life(&self, provider_subscription_id: &str) -> Result<Showing, ProviderError>;

    /// From now on we decide when the card is tried again.
    async fn hold_invoice(&self, provider_invoice_id: &str, key: &str) -> Result<(), ProviderError>;

    /// Tries the subscription's card. `Rejected` when it is paid already or can no longer be paid.
    async fn pay_invoice(&self, provider_invoice_id: &str, key: &str) -> Result<(), ProviderError>;

    /// It can never be paid again. `Rejected` when it is paid or closed already.
    async fn close_invoice(&self, provider_invoice_id: &str, key: &str) -> Result<(), ProviderError>;
}
