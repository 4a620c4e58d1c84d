//! The state of the YooKassa simulator.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::payment::{Payment, PaymentMethod, Refund};
use crate::engine::{
    indexed_store::IndexedStore,
    simulator::{ProviderState, Runtime},
};

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct YookassaState {
    pub payments: IndexedStore<Payment>,
    pub refunds: IndexedStore<Refund>,
    /// Saved payment methods.
    pub methods: IndexedStore<PaymentMethod>,
    /// Each with the object as it was at the time of the event.
    pub notifications: IndexedStore<Value>,
    runtime: Runtime,
    #[serde(skip)]
    pub webhook_url: Option<String>,
}

impl ProviderState for YookassaState {
    fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtime
    }
}
