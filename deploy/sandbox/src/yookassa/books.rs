//! Everything the twin remembers.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::payment::{Method, Payment, Refund};
use crate::{
    idempotency::Keys,
    shelf::Shelf,
    twin::{Agenda, Ledger},
};

const NOTIFICATIONS_MAX: usize = 20_000;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Books {
    pub payments: Shelf<Payment>,
    pub refunds: Shelf<Refund>,
    /// Those that may be charged again.
    pub methods: Shelf<Method>,
    /// As they were when they happened.
    pub notifications: Shelf<Value>,
    pub keys: Keys,
    pub agenda: Agenda,
    #[serde(skip)]
    pub webhook_url: Option<String>,
}

impl Books {
    pub fn remember(&mut self, id: &str, notification: Value) {
        self.notifications.put(id, notification);
        self.notifications.keep(NOTIFICATIONS_MAX);
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
