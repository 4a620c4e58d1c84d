//! Hosted checkouts: a provider's page on which a buyer pays for one period.

use async_trait::async_trait;
use kit::money::Money;

use super::{Later, PaymentProvider, ProviderError};
use crate::domain::order::hosted_checkout::Reference;
use crate::domain::payment::provider_result::PaymentSnapshot;

#[async_trait]
pub trait HostedCheckoutProvider: PaymentProvider {
    /// Makes the payment; nothing is charged before the buyer comes to the page. Repeated, it is the same payment, or another
    /// unpaid one under the same reference.
    async fn create_hosted_checkout(
        &self,
        page: &NewHostedCheckout,
    ) -> Result<OpenedHostedCheckout, ProviderError>;

    /// The payment with the reference it was made under; `None` when that is not one of ours.
    async fn fetch_hosted_checkout(
        &self,
        provider_payment_id: &str,
    ) -> Result<ObservedHostedCheckout, ProviderError>;
}

#[derive(Debug, Clone)]
pub struct NewHostedCheckout {
    pub reference: Reference,
    pub amount: Money,
    pub description: String,
    pub email: String,
    pub language: String,
    pub later: Later,
    /// The campaign that the return page shows when nothing was paid.
    pub campaign: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OpenedHostedCheckout {
    pub provider_payment_id: String,
    /// A URL, or a token for the provider's widget.
    pub redirect_url_or_token: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedHostedCheckout {
    pub reference: Option<Reference>,
    pub snapshot: PaymentSnapshot,
}
