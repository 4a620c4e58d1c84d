//! Idempotency keys: one response per key, until the provider's retention ends.

use std::collections::{HashMap, VecDeque};

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredResponse {
    pub status: u16,
    /// JSON as text, which takes less memory.
    pub body: String,
    pub request_id: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    fingerprint: String,
    started: i64,
    response: Option<StoredResponse>,
}

#[derive(Default, Serialize, Deserialize)]
pub struct IdempotencyKeys {
    entries: HashMap<String, Entry>,
    by_age: VecDeque<(i64, String)>,
}

#[derive(Debug, PartialEq)]
pub enum Begin {
    Fresh,
    Replay(StoredResponse),
    InProgress,
    OtherRequest,
}

impl IdempotencyKeys {
    pub fn begin(&mut self, key: &str, fingerprint: &str, now: i64, ttl_secs: i64) -> Begin {
        self.purge(now - ttl_secs);
        match self.entries.get(key) {
            Some(entry) if entry.fingerprint != fingerprint => return Begin::OtherRequest,
            Some(Entry {
                response: Some(response),
                ..
            }) => return Begin::Replay(response.clone()),
            Some(_) => return Begin::InProgress,
            None => {}
        }
        let entry = Entry {
            fingerprint: fingerprint.to_owned(),
            started: now,
            response: None,
        };
        self.entries.insert(key.to_owned(), entry);
        self.by_age.push_back((now, key.to_owned()));
        Begin::Fresh
    }

    pub fn finish(&mut self, key: &str, response: StoredResponse) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.response = Some(response);
        }
    }

    /// The call was not executed: the key is free again.
    pub fn release(&mut self, key: &str) {
        self.entries.remove(key);
    }

    /// After a restart no call is in progress.
    pub fn release_unfinished(&mut self) {
        self.entries.retain(|_, entry| entry.response.is_some());
    }

    fn purge(&mut self, until: i64) {
        while let Some((started, key)) = self.by_age.front() {
            if *started > until {
                return;
            }
            if self
                .entries
                .get(key)
                .is_some_and(|entry| entry.started == *started)
            {
                self.entries.remove(key);
            }
            self.by_age.pop_front();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const DAY: i64 = 24 * 3600;

    fn response() -> StoredResponse {
        StoredResponse {
            status: 500,
            body: "{}".into(),
            request_id: "req_1".into(),
        }
    }

    #[test]
    fn a_key_replays_its_first_response_for_a_day() {
        let mut keys = IdempotencyKeys::default();
        assert_eq!(keys.begin("k", "a", 0, DAY), Begin::Fresh);
        assert_eq!(keys.begin("k", "a", 0, DAY), Begin::InProgress);
        keys.finish("k", response());
        assert_eq!(keys.begin("k", "a", DAY - 1, DAY), Begin::Replay(response()));
        assert_eq!(keys.begin("k", "b", DAY - 1, DAY), Begin::OtherRequest);
        assert_eq!(keys.begin("k", "b", DAY, DAY), Begin::Fresh);
    }

    #[test]
    fn a_released_key_is_accepted_with_other_parameters() {
        let mut keys = IdempotencyKeys::default();
        assert_eq!(keys.begin("k", "a", 0, DAY), Begin::Fresh);
        keys.release("k");
        assert_eq!(keys.begin("k", "b", 1, DAY), Begin::Fresh);
    }
}
