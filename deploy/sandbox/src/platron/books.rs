//! Everything the twin remembers.

use serde::{Deserialize, Serialize};

use super::{
    calls::Call,
    payment::{Payment, Profile},
};
use crate::{
    shelf::Shelf,
    twin::{Agenda, Ledger},
};

const CALLS_MAX: usize = 20_000;
const FIRST_ID: u64 = 765_432_000;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Books {
    pub payments: Shelf<Payment>,
    pub profiles: Shelf<Profile>,
    /// To the merchant, as they were when they were made.
    pub calls: Shelf<Call>,
    pub agenda: Agenda,
    ids_given: u64,
}

impl Books {
    /// Platron's ids are numbers.
    pub fn new_id(&mut self) -> String {
        self.ids_given += 1;
        (FIRST_ID + self.ids_given).to_string()
    }

    pub fn remember(&mut self, id: &str, call: Call) {
        self.calls.put(id, call);
        self.calls.keep(CALLS_MAX);
    }
}

impl Ledger for Books {
    fn agenda(&mut self) -> &mut Agenda {
        &mut self.agenda
    }
}
