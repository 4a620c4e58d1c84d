//! The interface of payment providers, and the registry of the configured ones.

mod approvals;
mod cards;
mod changes;
mod customers;
mod error;
mod hosted_checkouts;
mod intents;
mod invoices;
mod prices;
mod recurring;
mod refunds;
mod subscriptions;
mod webhooks;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use approvals::{ApprovalProvider, ApprovalState, ObservedApproval};
pub use cards::{AttachedCard, CardProvider, NewCard, NewSubscription};
pub use changes::{ChangeProvider, LaterPlan, NewPlan, ProviderChange, Resumption};
pub use customers::CustomerProvider;
pub use error::ProviderError;
pub use hosted_checkouts::{
    HostedCheckoutProvider, NewHostedCheckout, ObservedHostedCheckout, OpenedHostedCheckout,
};
pub use intents::{Card, IntentProvider, Later, NewIntent, SavedCard};
pub use invoices::InvoiceProvider;
pub use prices::PriceProvider;
pub use recurring::{NewCharge, ObservedCharge, RecurringProvider, SavedPaymentMethod};
pub use refunds::{NewRefund, RefundProvider};
pub use subscriptions::SubscriptionProvider;
pub use webhooks::{PreAuthorizationDecision, WebhookError, WebhookReader, WebhookResponse};

use crate::domain::provider::{Capabilities, Provider};

/// A payment provider. Subscriptions, refunds and webhooks are supported by every provider. The other parts are optional: they
/// return `Unsupported` where the provider's [`Capabilities`] lack them.
pub trait PaymentProvider: SubscriptionProvider + RefundProvider {
    fn id(&self) -> Provider;

    fn capabilities(&self) -> &'static Capabilities {
        self.id().capabilities()
    }

    fn webhooks(&self) -> &dyn WebhookReader;

    /// Payments on our own page.
    fn own_page(&self) -> Result<&dyn OwnPageProvider, ProviderError> {
        Err(ProviderError::Unsupported(self.id(), "payments on our page"))
    }

    fn approvals(&self) -> Result<&dyn ApprovalProvider, ProviderError> {
        Err(ProviderError::Unsupported(self.id(), "approvals"))
    }

    fn hosted_checkouts(&self) -> Result<&dyn HostedCheckoutProvider, ProviderError> {
        Err(ProviderError::Unsupported(self.id(), "hosted checkouts"))
    }

    /// Subscriptions that the provider renews.
    fn provider_billing(&self) -> Result<&dyn BillingProvider, ProviderError> {
        Err(ProviderError::Unsupported(self.id(), "provider-billed renewals"))
    }

    /// Charges that checkout initiates.
    fn recurring(&self) -> Result<&dyn RecurringProvider, ProviderError> {
        Err(ProviderError::Unsupported(self.id(), "merchant-billed renewals"))
    }
}

/// Charges cards from our own page.
pub trait OwnPageProvider:
    PaymentProvider + CustomerProvider + CardProvider + PriceProvider + IntentProvider
{
}

impl<T: PaymentProvider + CustomerProvider + CardProvider + PriceProvider + IntentProvider> OwnPageProvider
    for T
{
}

/// Bills renewals by itself.
pub trait BillingProvider: InvoiceProvider + ChangeProvider {}

impl<T: InvoiceProvider + ChangeProvider> BillingProvider for T {}

/// The configured payment providers.
pub struct Providers {
    own_page: Arc<dyn OwnPageProvider>,
    by_id: BTreeMap<Provider, Arc<dyn PaymentProvider>>,
}

impl Providers {
    pub fn new(own_page: Arc<dyn OwnPageProvider>) -> Self {
        let any: Arc<dyn PaymentProvider> = own_page.clone();
        Self {
            by_id: BTreeMap::from([(any.id(), any)]),
            own_page,
        }
    }

    pub fn add(&mut self, provider: Arc<dyn PaymentProvider>) {
        self.by_id.insert(provider.id(), provider);
    }

    pub fn of(&self, id: Provider) -> Result<&dyn PaymentProvider, ProviderError> {
        let found = self.by_id.get(&id).map(AsRef::as_ref);
        found.ok_or(ProviderError::NotConfigured(id))
    }

    /// Always configured.
    pub fn own_page(&self) -> &dyn OwnPageProvider {
        self.own_page.as_ref()
    }

    pub fn approvals(&self) -> Option<&dyn ApprovalProvider> {
        self.by_id.values().find_map(|provider| provider.approvals().ok())
    }

    pub fn hosted_checkouts(&self) -> Vec<&dyn HostedCheckoutProvider> {
        let all = self.by_id.values();
        all.filter_map(|provider| provider.hosted_checkouts().ok())
            .collect()
    }
}
