//! The state of the Stripe simulator: objects by kind, in order of creation.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{object_kind::Kind, subscription_timer::next_timer};
use crate::engine::{
    indexed_store::IndexedStore,
    simulator::{ProviderState, Runtime},
};

/// Stripe returns events for 30 days; this is also the maximum number.
const EVENT_TTL_SECS: i64 = 30 * 24 * 3600;
const EVENTS_MAX: usize = 20_000;

#[derive(Default, Serialize, Deserialize)]
#[serde(default)]
pub struct StripeState {
    tables: BTreeMap<Kind, Table>,
    runtime: Runtime,
}

impl StripeState {
    pub fn get(&self, kind: Kind, id: &str) -> Option<&Value> {
        self.tables.get(&kind)?.rows.get(id)
    }

    /// Stores an object; a subscription also sets its timer.
    pub fn put(&mut self, kind: Kind, value: Value) {
        if kind == Kind::Subscription {
            self.runtime.timers.set(id_of(&value), next_timer(&value));
        }
        let table = self.tables.entry(kind).or_default();
        table.put(value);
        if kind == Kind::Event {
            table.remove_older_than(EVENT_TTL_SECS);
        }
    }

    /// Newest first; with `customer`, only this customer's objects.
    pub fn newest_first<'a>(
        &'a self,
        kind: Kind,
        customer: Option<&str>,
    ) -> Box<dyn Iterator<Item = &'a Value> + 'a> {
        let Some(table) = self.tables.get(&kind) else {
            return Box::new(std::iter::empty());
        };
        match customer {
            None => Box::new(table.rows.newest_first()),
            Some(customer) => {
                let positions = table.by_customer.get(customer).into_iter().flatten();
                Box::new(positions.rev().filter_map(|position| table.rows.at(*position)))
            }
        }
    }

    pub fn count(&self, kind: Kind) -> usize {
        self.tables.get(&kind).map_or(0, |table| table.rows.len())
    }

    pub fn remove(&mut self, kind: Kind, id: &str) {
        if let Some(table) = self.tables.get_mut(&kind) {
            table.remove(id);
        }
    }

    /// The open deliveries of an event.
    pub fn pending_webhooks(&self, event: &str) -> usize {
        self.runtime.webhooks.open_count(event)
    }
}

impl ProviderState for StripeState {
    fn runtime(&mut self) -> &mut Runtime {
        &mut self.runtime
    }
}

/// The objects of one kind, with an index by customer.
#[derive(Default)]
struct Table {
    rows: IndexedStore<Value>,
    by_customer: HashMap<String, BTreeSet<u64>>,
}

impl Table {
    fn put(&mut self, value: Value) {
        let id = id_of(&value).to_owned();
        let customer = customer_of(&value).map(ToOwned::to_owned);
        let previous = self.rows.get(&id).and_then(customer_of).map(ToOwned::to_owned);
        let position = self.rows.put(&id, value);
        self.unindex(previous.as_deref(), position);
        if let Some(customer) = customer {
            self.by_customer.entry(customer).or_default().insert(position);
        }
    }

    fn remove(&mut self, id: &str) {
        if let Some((position, value)) = self.rows.remove(id) {
            self.unindex(customer_of(&value), position);
        }
    }

    fn unindex(&mut self, customer: Option<&str>, position: u64) {
        if let Some(positions) = customer.and_then(|customer| self.by_customer.get_mut(customer)) {
            positions.remove(&position);
        }
    }

    fn remove_older_than(&mut self, ttl_secs: i64) {
        let Some(newest) = self.rows.newest_first().next().map(created) else {
            return;
        };
        while let Some(oldest) = self.rows.oldest() {
            let is_expired = created(oldest) + ttl_secs < newest;
            if !is_expired && self.rows.len() <= EVENTS_MAX {
                return;
            }
            let id = id_of(oldest).to_owned();
            self.remove(&id);
        }
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.rows.serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = Self::default();
        for (_, value) in Vec::<(String, Value)>::deserialize(deserializer)? {
            table.put(value);
        }
        Ok(table)
    }
}

pub fn id_of(value: &Value) -> &str {
    value["id"].as_str().unwrap_or_default()
}

pub fn created(value: &Value) -> i64 {
    value["created"].as_i64().unwrap_or_default()
}

fn customer_of(value: &Value) -> Option<&str> {
    value["customer"].as_str()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    fn listed(state: &StripeState, customer: Option<&str>) -> Vec<String> {
        state
            .newest_first(Kind::PaymentMethod, customer)
            .map(|value| id_of(value).to_owned())
            .collect()
    }

    #[test]
    fn objects_are_indexed_by_their_current_customer() {
        let mut state = StripeState::default();
        for (id, customer) in [("pm_1", Some("cus_a")), ("pm_2", None), ("pm_3", Some("cus_a"))] {
            state.put(Kind::PaymentMethod, json!({"id": id, "customer": customer}));
        }
        state.put(Kind::PaymentMethod, json!({"id": "pm_1", "customer": null}));
        assert_eq!(listed(&state, None), ["pm_3", "pm_2", "pm_1"]);
        assert_eq!(listed(&state, Some("cus_a")), ["pm_3"]);
    }

    #[test]
    fn events_are_removed_after_thirty_days() {
        let mut state = StripeState::default();
        for (id, created) in [("evt_1", 0), ("evt_2", 100), ("evt_3", EVENT_TTL_SECS + 50)] {
            state.put(Kind::Event, json!({"id": id, "created": created}));
        }
        assert_eq!(state.count(Kind::Event), 2);
    }
}
