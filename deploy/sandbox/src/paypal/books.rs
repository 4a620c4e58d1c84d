//! Everything the twin remembers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{sales::Sale, subscription::Subscription};
use crate::{
    idempotency::Keys,
    shelf::Shelf,
    twin::{Agenda, Ledger},
};

const EVENTS_MAX: usize = 20_000;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Books {
    pub products: Shelf<Value>,
    pub plans: Shelf<Value>,
    pub subscriptions: Shelf<Subscription>,
    pub sales: Shelf<Sale>,
    pub refunds: Shelf<Value>,
    /// What buyers' banks took back. The newer API does not show them.
    pub reversals: Shelf<Value>,
    pub webhooks: Shelf<Webhook>,
    pub events: Shelf<Value>,
    pub keys: Keys,
    pub agenda: Agenda,
}

/// Where events go, and which.
#[derive(Clone, Serialize, Deserialize)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    /// `*` is every one.
    pub event_types: Vec<String>,
}

impl Webhook {
    pub fn wants(&self, event_type: &str) -> bool {
        self.event_types
            .iter()
            .any(|wanted| wanted == "*" || wanted == event_type)
    }
}

impl Books {
    pub fn remember(&mut self, id: &str, event: Value) {
        self.events.put(id, event);
        self.events.keep(EVENTS_MAX);
    }
}

impl AsMut<Keys> for Books {
    fn as_mut(&mut self) -> &mut Keys {
        &mut self.keys
    }
}

impl Ledger for Books {
    fn agenda(&mut self) -> &mut Agenda {
        &mut self.agenda
    }
}
