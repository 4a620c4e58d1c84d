//! What checkout needs from payment providers: small ports, and who stands behind them.

mod cards;
mod customers;
mod error;
mod prices;
mod refunds;
mod subscriptions;
mod webhooks;

use std::collections::BTreeMap;
use std::sync::Arc;

pub use cards::{CardProvider, NewCard, NewSubscription};
pub use customers::CustomerProvider;
pub use error::ProviderError;
pub use prices::PriceProvider;
pub use refunds::{NewRefund, RefundProvider};
pub use subscriptions::SubscriptionProvider;
pub use webhooks::{Delivery, WebhookFault, WebhookReader};

use crate::domain::provider::Provider;

/// Everybody who takes money for us.
pub struct Providers {
    pub cards: CardPorts,
    each: BTreeMap<Provider, Ports>,
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
}

impl Providers {
    pub fn new(cards: CardPorts, each: impl IntoIterator<Item = (Provider, Ports)>) -> Self {
        Self {
            cards,
            each: each.into_iter().collect(),
        }
    }

    /// `Unreached` for one that this installation is not set up for.
    pub fn of(&self, provider: Provider) -> Result<&Ports, ProviderError> {
        let not_set_up = || ProviderError::Unreached(format!("{} is not set up", provider.name()));
        self.each.get(&provider).ok_or_else(not_set_up)
    }

    pub fn has(&self, provider: Provider) -> bool {
        self.each.contains_key(&provider)
    }
}
