//! Timers on the virtual clock: at most one per object.

use std::collections::{BTreeSet, HashMap};

use serde::{Deserialize, Serialize};

#[derive(Default, Serialize, Deserialize)]
pub struct Timers {
    by_time: BTreeSet<(i64, String)>,
    by_id: HashMap<String, i64>,
}

impl Timers {
    /// Replaces the object's timer; `None` removes it.
    pub fn set(&mut self, id: &str, at: Option<i64>) {
        if let Some(before) = self.by_id.remove(id) {
            self.by_time.remove(&(before, id.to_owned()));
        }
        if let Some(at) = at {
            self.by_id.insert(id.to_owned(), at);
            self.by_time.insert((at, id.to_owned()));
        }
    }

    /// The earliest timer, if it is due.
    pub fn first_due(&self, now: i64) -> Option<(i64, String)> {
        self.by_time.first().filter(|(at, _)| *at <= now).cloned()
    }

    pub fn next_due(&self) -> Option<i64> {
        self.by_time.first().map(|(at, _)| *at)
    }
}
