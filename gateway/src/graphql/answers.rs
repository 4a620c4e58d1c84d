//! Answers kept for who asks the same again, byte for byte. They are stored as pages are: compressed once, with an entity tag,
//! and dropped by the same events.
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use metrics::Counter;
use moka::sync::Cache;

use crate::graphql::protocol::MediaType;
use crate::pages::cache::PageCache;
use crate::pages::compress::Effort;
use crate::pages::entry::{Draft, Entry, Lifetime};
use crate::pages::key::{Born, Tag};
use crate::security::headers::{API_POLICY, SecurityHeaders};

/// Events drop what changes; this only bounds what a lost one can cost.
const KEPT: Duration = Duration::from_hours(1);
/// Questions remembered as asked once.
const ONCE_MAX: u64 = 10_000;

pub struct Answers {
    stored: PageCache,
    /// Storing compresses, which is not worth it for a question nobody asks again.
    asked_once: Cache<Box<str>, ()>,
    headers: HeaderMap,
    hits: Counter,
}

/// An answer that may be kept.
pub struct Keepable {
    pub body: Bytes,
    pub media_type: MediaType,
    pub born: Born,
    pub tags: Vec<Tag>,
}

impl Answers {
    pub fn new(stored: PageCache, security: &SecurityHeaders) -> Self {
        let mut headers = HeaderMap::new();
        security.write(&mut headers);
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(API_POLICY));
        // Whoever asks needs a token: no cache between may keep it.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        Self {
            stored,
            asked_once: Cache::new(ONCE_MAX),
            headers,
            hits: metrics::counter!("gateway_answers_from_memory_total"),
        }
    }

    pub fn now(&self) -> Born {
        self.stored.tags.now()
    }

    pub fn fresh(&self, question: &str) -> Option<Arc<Entry>> {
        let entry = self.stored.fresh(question)?;
        self.hits.increment(1);
        Some(entry)
    }

    /// Keeps the answer if the question came before. Takes its time in the background.
    pub fn keep(self: &Arc<Self>, question: String, answer: Keepable) {
        if !self.asked_once.contains_key(question.as_str()) {
            self.asked_once.insert(question.into(), ());
            return;
        }
        let answers = Arc::clone(self);
        // Nobody waits for it: the next who asks is answered either way.
        drop(tokio::task::spawn_blocking(move || {
            let entry = Arc::new(answers.entry(answer));
            answers.stored.store(&question, entry);
        }));
    }

    fn entry(&self, answer: Keepable) -> Entry {
        let mut headers = self.headers.clone();
        headers.insert(CONTENT_TYPE, answer.media_type.header());
        let kept_ms = i64::try_from(KEPT.as_millis()).unwrap_or(i64::MAX);
        let until_ms = self.stored.now_ms().saturating_add(kept_ms);
        Entry::build(Draft {
            status: StatusCode::OK,
            headers,
            body: answer.body,
            effort: Some(Effort::Page),
            born: answer.born,
            marks: self.stored.tags.marks(answer.tags),
            lifetime: Lifetime {
                fresh_until_ms: until_ms,
                usable_until_ms: until_ms,
            },
        })
    }
}
