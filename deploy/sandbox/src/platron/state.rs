//! The state of the Platron simulator.

use serde::{Deserialize, Serialize};

use super::{
    merchant_calls::MerchantCall,
    payment::{Payment, RecurringProfile},
};
use crate::engine::{
    indexed_store::IndexedStore,
    simulator::{ProviderState, Runtime},
};

const FIRST_ID: u64 = 765_432_000;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct PlatronState {
    pub payments: IndexedStore<Payment>,
    pub profiles: IndexedStore<RecurringProfile>,
    /// Each with its fields as of the time it was made.
    pub merchant_calls: IndexedStore<MerchantCall>,
    runtime: Runtime,
    ids_assigned: u64,
}

impl PlatronState {
    /// Platron's ids are numbers.
    pub fn new_id(&mut self) -> String {
        self.ids_assigned += 1;
        (FIRST_ID + self.ids_assigned).to_string()
    }
}

impl ProviderState for PlatronState {
    fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtime
    }
}
