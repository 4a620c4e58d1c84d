//! What checkout needs from payment providers: small ports, and who stands behind them.

mod approvals;
mod cards;
mod changes;
mod customers;
mod error;
mod intents;
mod invoices;
mod pages;
mod prices;
mod recurring;
mod refunds;
mod subscriptions;
mod webhooks;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use approvals::{Agreement, Approval, ApprovalProvider};
pub use cards::{AttachedCard, CardProvider, NewCard, NewSubscription};
pub use changes::{Change, ChangeProvider, LaterPlan, NewPlan, Resumption};
pub use customers::CustomerProvider;
pub use error::ProviderError;
pub use intents::{Card, IntentProvider, Later, NewIntent, SavedCard};
pub use invoices::InvoiceProvider;
pub use pages::{NewPage, OpenedPage, PageProvider, SeenPage};
pub use prices::PriceProvider;
pub use recurring::{Kept, NewCharge, RecurringProvider, SeenCharge};
pub use refunds::{NewRefund, RefundProvider};
pub use subscriptions::SubscriptionProvider;
pub use webhooks::{Answer, Verdict, WebhookFault, WebhookReader};

use crate::domain::provider::Provider;

/// Everybody who takes money for us.
pub struct Providers {
    pub cards: CardPorts,
    /// Whose subscriptions buyers bring to us.
    pub approvals: Option<Arc<dyn ApprovalProvider>>,
    /// Who has pages of their own.
    pub pages: BTreeMap<Provider, Arc<dyn PageProvider>>,
    /// Who charges again when asked to.
    pub recurring: BTreeMap<Provider, Arc<dyn RecurringProvider>>,
    each: BTreeMap<Provider, Ports>,
    lives: BTreeMap<Provider, LifePorts>,
}

/// Who charges period after period by itself.
#[derive(Clone)]
pub struct LifePorts {
    pub invoices: Arc<dyn InvoiceProvider>,
    pub changes: Arc<dyn ChangeProvider>,
}

/// What every provider does.
#[derive(Clone)]
pub struct Ports {
    pub subscriptions: Arc<dyn SubscriptionProvider>,
    pub refunds: Arc<dyn RefundProvider>,
    pub webhooks: Arc<dyn WebhookReader>,
}

/// What the provider does besides who charges the cards our own page collects.
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
        let of_cards = LifePorts {
            invoices: cards.invoices.clone(),
            changes: cards.changes.clone(),
        };
        Self {
            cards,
            lives: BTreeMap::from([(Provider::Stripe, of_cards)]),
            approvals: None,
            pages: BTreeMap::new(),
            recurring: BTreeMap::new(),
            each: each.into_iter().collect(),
        }
    }

    pub fn of(&self, provider: Provider) -> Result<&Ports, ProviderError> {
        let port = self.each.get(&provider);
        port.ok_or(ProviderError::NotConfigured(provider))
    }

    pub fn page_of(&self, provider: Provider) -> Result<&dyn PageProvider, ProviderError> {
        let port = self.pages.get(&provider);
        port.map(AsRef::as_ref)
            .ok_or(ProviderError::NotConfigured(provider))
    }

    /// `None`: it charges nothing by itself, or is not set up.
    pub fn life_of(&self, provider: Provider) -> Option<&LifePorts> {
        self.lives.get(&provider)
    }

    pub fn add_life(&mut self, provider: Provider, ports: LifePorts) {
        self.lives.insert(provider, ports);
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
