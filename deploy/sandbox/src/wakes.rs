//! When each thing wants to be looked at again: one moment a thing.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

#[derive(Default, Serialize, Deserialize)]
pub struct Wakes {
    by_time: BTreeSet<(i64, String)>,
    by_id: HashMap<String, i64>,
}

impl Wakes {
    pub fn set(&mut self, id: &str, at: Option<i64>) {
        if let Some(before) = self.by_id.remove(id) {
            self.by_time.remove(&(before, id.to_owned()));
        }
        if let Some(at) = at {
            self.by_id.insert(id.to_owned(), at);
            self.by_time.insert((at, id.to_owned()));
        }
    }

    /// What comes first, when its time has come.
    pub fn first_due(&self, now: i64) -> Option<(i64, String)> {
        self.by_time.first().filter(|(at, _)| *at <= now).cloned()
    }

    pub fn next(&self) -> Option<i64> {
        self.by_time.first().map(|(at, _)| *at)
    }
}
