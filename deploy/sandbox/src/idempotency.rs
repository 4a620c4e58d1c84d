//! Idempotency keys: one answer per key for as long as a provider keeps it, whatever that answer was.

use std::collections::{HashMap, VecDeque};

use serde::{Deserialize, Serialize};

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Kept {
    pub status: u16,
    /// JSON, as text because it takes less room and is seldom asked for.
    pub body: String,
    pub request_id: String,
}

#[derive(Serialize, Deserialize)]
struct Entry {
    fingerprint: String,
    began: i64,
    answer: Option<Kept>,
}

#[derive(Default, Serialize, Deserialize)]
pub struct Keys {
    entries: HashMap<String, Entry>,
    by_age: VecDeque<(i64, String)>,
}

#[derive(Debug, PartialEq)]
pub enum Begin {
    Fresh,
    Replay(Kept),
    InProgress,
    OtherRequest,
}

impl Keys {
    pub fn begin(&mut self, key: &str, fingerprint: &str, now: i64, kept_secs: i64) -> Begin {
        self.forget(now - kept_secs);
        match self.entries.get(key) {
            Some(entry) if entry.fingerprint != fingerprint => return Begin::OtherRequest,
            Some(Entry {
                answer: Some(kept), ..
            }) => return Begin::Replay(kept.clone()),
            Some(_) => return Begin::InProgress,
            None => {}
        }
        let entry = Entry {
            fingerprint: fingerprint.to_owned(),
            began: now,
            answer: None,
        };
        self.entries.insert(key.to_owned(), entry);
        self.by_age.push_back((now, key.to_owned()));
        Begin::Fresh
    }

    pub fn finish(&mut self, key: &str, answer: Kept) {
        if let Some(entry) = self.entries.get_mut(key) {
            entry.answer = Some(answer);
        }
    }

    /// The request never began its work: the key is free again.
    pub fn release(&mut self, key: &str) {
        self.entries.remove(key);
    }

    /// After a restart nobody is working on a key any more.
    pub fn release_unanswered(&mut self) {
        self.entries.retain(|_, entry| entry.answer.is_some());
    }

    fn forget(&mut self, until: i64) {
        while let Some((began, key)) = self.by_age.front() {
            if *began > until {
                return;
            }
            if self.entries.get(key).is_some_and(|entry| entry.began == *began) {
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

    fn kept() -> Kept {
        Kept {
            status: 500,
            body: "{}".into(),
            request_id: "req_1".into(),
        }
    }

    #[test]
    fn a_key_keeps_its_first_answer_for_a_day() {
        let mut keys = Keys::default();
        assert_eq!(keys.begin("k", "a", 0, DAY), Begin::Fresh);
        assert_eq!(keys.begin("k", "a", 0, DAY), Begin::InProgress);
        keys.finish("k", kept());
        assert_eq!(keys.begin("k", "a", DAY - 1, DAY), Begin::Replay(kept()));
        assert_eq!(keys.begin("k", "b", DAY - 1, DAY), Begin::OtherRequest);
        assert_eq!(keys.begin("k", "b", DAY, DAY), Begin::Fresh);
    }

    #[test]
    fn a_released_key_may_be_used_for_something_else() {
        let mut keys = Keys::default();
        assert_eq!(keys.begin("k", "a", 0, DAY), Begin::Fresh);
        keys.release("k");
        assert_eq!(keys.begin("k", "b", 1, DAY), Begin::Fresh);
    }
}
