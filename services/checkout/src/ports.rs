//! Ports of payment providers, and the registry of their implementations.

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

pub use approvals::{ApprovalProvider, ApprovalState, PaypalApproval};
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

use crate::domain::provider::Provider;

/// The configured payment providers.
pub struct Providers {
    pub cards: CardPorts,
    /// Providers whose subscriptions are approved by the buyer and then linked.
    pub approvals: Option<Arc<dyn ApprovalProvider>>,
    /// Providers with hosted checkout.
    pub hosted_checkouts: BTreeMap<Provider, Arc<dyn HostedCheckoutProvider>>,
    /// Providers with merchant-initiated renewals.
    pub recurring: BTreeMap<Provider, Arc<dyn RecurringProvider>>,
    each: BTreeMap<Provider, Ports>,
    billing: BTreeMap<Provider, BillingPorts>,
}

/// Ports of a provider that bills renewals by itself.
#[derive(Clone)]
pub struct BillingPorts {
    pub invoices: Arc<dyn InvoiceProvider>,
    pub changes: Arc<dyn ChangeProvider>,
}

/// Ports that every provider implements.
#[derive(Clone)]
pub struct Ports {
    pub subscriptions: Arc<dyn SubscriptionProvider>,
    pub refunds: Arc<dyn RefundProvider>,
    pub webhooks: Arc<dyn WebhookReader>,
}

/// Further ports of the provider that charges cards from our own page.
pub struct CardPorts {
    pub customers: Arc<dyn CustomerProvider>,
    pub cards: Arc<dyn CardProvider>,
    pub prices: Arc<dyn PriceProvider>,
    pub invoices: Arc<dyn InvoiceProvider>,
    pub changes: Arc<dyn ChangeProvider>,
    pub intents: Arc<dyn IntentProvider>,
}

impl Providers {
    pub fn new(cards: CardPorts, each: impl IntoIterator<Item = (Provider, Ports)>) -> Self {
        let of_cards = BillingPorts {
            invoices: cards.invoices.clone(),
            changes: cards.changes.clone(),
        };
        Self {
            cards,
            billing: BTreeMap::from([(Provider::Stripe, of_cards)]),
            approvals: None,
            hosted_checkouts: BTreeMap::new(),
            recurring: BTreeMap::new(),
            each: each.into_iter().collect(),
        }
    }

    pub fn of(&self, provider: Provider) -> Result<&Ports, ProviderError> {
        let port = self.each.get(&provider);
        port.ok_or(ProviderError::NotConfigured(provider))
    }

    pub fn hosted_checkout_of(
        &self,
        provider: Provider,
    ) -> Result<&dyn HostedCheckoutProvider, ProviderError> {
        let port = self.hosted_checkouts.get(&provider);
        port.map(AsRef::as_ref)
            .ok_or(ProviderError::NotConfigured(provider))
    }

    /// `None`: renewals are merchant-initiated, or the provider is not configured.
    pub fn billing_of(&self, provider: Provider) -> Option<&BillingPorts> {
        self.billing.get(&provider)
    }

    pub fn add_billing(&mut self, provider: Provider, ports: BillingPorts) {
        self.billing.insert(provider, ports);
    }

    pub fn recurring(&self, provider: Provider) -> Result<&dyn RecurringProvider, ProviderError> {
        let port = self.recurring.get(&provider);
        port.map(AsRef::as_ref)
            .ok_or(ProviderError::NotConfigured(provider))
    }

    pub fn add(&mut self, provider: Provider, ports: Ports) {
        self.each.insert(provider, ports);
    }
}
