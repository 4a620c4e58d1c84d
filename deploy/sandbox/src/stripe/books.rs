//! Everything the twin remembers: its objects in order of creation, and what waits for its time.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;

use super::{billing, kinds::Kind};
use crate::{idempotency::Keys, outbox::Outbox, wakes::Wakes};

/// Stripe shows events for 30 days; the twin also keeps no more than this many.
const EVENT_KEPT_SECS: i64 = 30 * 24 * 3600;
const EVENTS_MAX: usize = 20_000;

#[derive(Default, Serialize, Deserialize)]
pub struct Books {
    tables: BTreeMap<Kind, Table>,
    pub keys: Keys,
    pub outbox: Outbox,
    #[serde(skip)]
    wakes: Wakes,
    #[serde(skip)]
    revision: u64,
}

impl Books {
    pub fn get(&self, kind: Kind, id: &str) -> Option<&Value> {
        self.tables.get(&kind)?.rows.get(id).map(|row| &row.value)
    }

    pub fn put(&mut self, kind: Kind, value: Value) {
        self.revision += 1;
        if kind == Kind::Subscription {
            self.wakes.set(id_of(&value), billing::next_wake(&value));
        }
        let table = self.tables.entry(kind).or_default();
        table.put(value);
        if kind == Kind::Event {
            table.forget_older_than(EVENT_KEPT_SECS);
        }
    }

    /// Newest first; with `customer`, only what belongs to it.
    pub fn newest_first<'a>(
        &'a self,
        kind: Kind,
        customer: Option<&str>,
    ) -> Box<dyn Iterator<Item = &'a Value> + 'a> {
        let Some(table) = self.tables.get(&kind) else {
            return Box::new(std::iter::empty());
        };
        match customer {
            None => Box::new(table.order.values().rev().map(|id| &table.rows[id].value)),
            Some(customer) => match table.by_customer.get(customer) {
                None => Box::new(std::iter::empty()),
                Some(places) => Box::new(
                    places
                        .iter()
                        .rev()
                        .map(|place| &table.rows[&table.order[place]].value),
                ),
            },
        }
    }

    pub fn count(&self, kind: Kind) -> usize {
        self.tables.get(&kind).map_or(0, |table| table.rows.len())
    }

    pub fn remove(&mut self, kind: Kind, id: &str) {
        self.revision += 1;
        if let Some(table) = self.tables.get_mut(&kind) {
            table.remove(id);
        }
    }

    /// The subscription whose time comes first, when it has come.
    pub fn first_due(&self, now: i64) -> Option<(i64, String)> {
        self.wakes.first_due(now)
    }

    pub fn forget_wake(&mut self, id: &str) {
        self.wakes.set(id, None);
    }

    /// When the clock will next bring something: a subscription's moment or a webhook's.
    pub fn next_moment(&self) -> Option<i64> {
        self.wakes.next().into_iter().chain(self.outbox.next_due()).min()
    }

    pub fn touch(&mut self) {
        self.revision += 1;
    }

    /// Grows with every change: the snapshot writer's cue.
    pub const fn revision(&self) -> u64 {
        self.revision
    }

    pub fn rebuild_wakes(&mut self) {
        let wakes: Vec<_> = self
            .newest_first(Kind::Subscription, None)
            .map(|subscription| (id_of(subscription).to_owned(), billing::next_wake(subscription)))
            .collect();
        for (id, at) in wakes {
            self.wakes.set(&id, at);
        }
    }
}

#[derive(Default)]
struct Table {
    rows: HashMap<String, Row>,
    order: BTreeMap<u64, String>,
    by_customer: HashMap<String, BTreeSet<u64>>,
    next_place: u64,
}

struct Row {
    place: u64,
    value: Value,
}

impl Table {
    fn put(&mut self, value: Value) {
        let id = id_of(&value).to_owned();
        let place = match self.rows.get(&id) {
            Some(row) => {
                let place = row.place;
                let before = customer_of(&row.value).map(ToOwned::to_owned);
                self.unindex(before.as_deref(), place);
                place
            }
            None => self.new_place(&id),
        };
        if let Some(customer) = customer_of(&value) {
            self.by_customer
                .entry(customer.to_owned())
                .or_default()
                .insert(place);
        }
        self.rows.insert(id, Row { place, value });
    }

    fn new_place(&mut self, id: &str) -> u64 {
        let place = self.next_place;
        self.next_place += 1;
        self.order.insert(place, id.to_owned());
        place
    }

    fn remove(&mut self, id: &str) {
        let Some(row) = self.rows.remove(id) else { return };
        self.order.remove(&row.place);
        self.unindex(customer_of(&row.value), row.place);
    }

    fn unindex(&mut self, customer: Option<&str>, place: u64) {
        if let Some(places) = customer.and_then(|customer| self.by_customer.get_mut(customer)) {
            places.remove(&place);
        }
    }

    fn forget_older_than(&mut self, kept_secs: i64) {
        let Some(newest) = self
            .order
            .values()
            .next_back()
            .map(|id| created(&self.rows[id].value))
        else {
            return;
        };
        while let Some(oldest) = self.order.values().next().cloned() {
            let young = created(&self.rows[&oldest].value) + kept_secs >= newest;
            if young && self.rows.len() <= EVENTS_MAX {
                return;
            }
            self.remove(&oldest);
        }
    }
}

impl Serialize for Table {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.order.values().map(|id| &self.rows[id].value))
    }
}

impl<'de> Deserialize<'de> for Table {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let mut table = Self::default();
        for value in Vec::<Value>::deserialize(deserializer)? {
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

    fn listed(books: &Books, customer: Option<&str>) -> Vec<String> {
        books
            .newest_first(Kind::PaymentMethod, customer)
            .map(|value| id_of(value).to_owned())
            .collect()
    }

    #[test]
    fn a_customers_objects_follow_it() {
        let mut books = Books::default();
        for (id, customer) in [("pm_1", Some("cus_a")), ("pm_2", None), ("pm_3", Some("cus_a"))] {
            books.put(Kind::PaymentMethod, json!({"id": id, "customer": customer}));
        }
        books.put(Kind::PaymentMethod, json!({"id": "pm_1", "customer": null}));
        assert_eq!(listed(&books, None), ["pm_3", "pm_2", "pm_1"]);
        assert_eq!(listed(&books, Some("cus_a")), ["pm_3"]);
    }

    #[test]
    fn events_are_forgotten_after_thirty_days() {
        let mut books = Books::default();
        for (id, created) in [("evt_1", 0), ("evt_2", 100), ("evt_3", EVENT_KEPT_SECS + 50)] {
            books.put(Kind::Event, json!({"id": id, "created": created}));
        }
        assert_eq!(books.count(Kind::Event), 2);
    }
}
