//! The state of the PayPal simulator.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::{sale::Sale, subscription::Subscription};
use crate::engine::{
    indexed_store::IndexedStore,
    simulator::{ProviderState, Runtime},
};

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PaypalState {
    pub products: IndexedStore<Value>,
    pub plans: IndexedStore<Value>,
    pub subscriptions: IndexedStore<Subscription>,
    pub sales: IndexedStore<Sale>,
    pub refunds: IndexedStore<Value>,
    /// Sales that the buyer's bank reversed. The v2 API does not show them.
    pub reversals: IndexedStore<Value>,
    pub webhooks: IndexedStore<Webhook>,
    pub events: IndexedStore<Value>,
    runtime: Runtime,
}

/// A webhook endpoint and the event types it receives.
#[derive(Clone, Serialize, Deserialize)]
pub struct Webhook {
    pub id: String,
    pub url: String,
    /// `*` is every type.
    pub event_types: Vec<String>,
}

impl Webhook {
    pub fn receives(&self, event_type: &str) -> bool {
        self.event_types
            .iter()
            .any(|enabled| enabled == "*" || enabled == event_type)
    }
}

impl ProviderState for PaypalState {
    fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtime
    }
}
