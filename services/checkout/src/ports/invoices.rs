//! Invoices of a provider that bills renewals by itself.

use async_trait::async_trait;

use super::ProviderError;
use crate::domain::subscription::billing_state::SubscriptionSnapshot;

/// A repeated call with the same idempotency key must send the same parameters.
#[async_trait]
pub trait InvoiceProvider: Send + Sync + 'static {
    /// The subscription with its invoices.
    async fn fetch_snapshot(
        &self,
        provider_subscription_id: &str,
    ) -> Result<SubscriptionSnapshot, ProviderError>;

    /// Disables the provider's own retries.
    async fn disable_auto_advance(&self, provider_invoice_id: &str, key: &str) -> Result<(), ProviderError>;

    /// Tries the subscription's card. `Rejected` when it is paid already or can no longer be paid.
    async fn pay_invoice(&self, provider_invoice_id: &str, key: &str) -> Result<(), ProviderError>;

    /// Voids the invoice. `Rejected` when it is paid or void already.
    async fn close_invoice(&self, provider_invoice_id: &str, key: &str) -> Result<(), ProviderError>;
}
