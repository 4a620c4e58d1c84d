//! Stores responses to repeated queries, byte for byte. They are stored as pages are: compressed once, with an `ETag`, and
//! invalidated by the same events.
use std::sync::Arc;
use std::time::Duration;

use axum::http::HeaderMap;
use bytes::Bytes;
use http::HeaderValue;
use http::StatusCode;
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use metrics::Counter;
use moka::sync::Cache;

use crate::cache::compress::CompressionLevel;
use crate::cache::entry::{Entry, Lifetime, NewEntry};
use crate::cache::response_cache::ResponseCache;
use crate::cache::tags::{CacheTag, CreatedAt};
use crate::graphql::protocol::MediaType;
use crate::security::headers::{API_POLICY, SecurityHeaders};

/// Events invalidate responses; this bounds the effect of a lost event.
const TTL: Duration = Duration::from_hours(1);
/// Keys of queries seen once.
const SEEN_ONCE_MAX: u64 = 10_000;

pub struct QueryCache {
    stored: ResponseCache,
    /// Only a repeated query is stored: storing compresses.
    seen_once: Cache<Box<str>, ()>,
    headers: HeaderMap,
    hits: Counter,
}

/// A response that may be stored.
pub struct CacheableResponse {
    pub body: Bytes,
    pub media_type: MediaType,
    pub created_at: CreatedAt,
    pub tags: Vec<CacheTag>,
}

impl QueryCache {
    pub fn new(stored: ResponseCache, security: &SecurityHeaders) -> Self {
        let mut headers = HeaderMap::new();
        security.write(&mut headers);
        headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(API_POLICY));
        // Callers need a token: shared caches must not store it.
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
        Self {
            stored,
            seen_once: Cache::new(SEEN_ONCE_MAX),
            headers,
            hits: metrics::counter!("gateway_cache_hits_total"),
        }
    }

    pub fn now(&self) -> CreatedAt {
        self.stored.tags.now()
    }

    pub fn get(&self, question: &str) -> Option<Arc<Entry>> {
        let entry = self.stored.get_fresh(question)?;
        self.hits.increment(1);
        Some(entry)
    }

    /// Stores the response if the query was seen before, on a background thread.
    pub fn put(self: &Arc<Self>, question: String, answer: CacheableResponse) {
        if !self.seen_once.contains_key(question.as_str()) {
            self.seen_once.insert(question.into(), ());
            return;
        }
        let answers = Arc::clone(self);
        // Not awaited: a request in between runs the query again.
        drop(tokio::task::spawn_blocking(move || {
            let entry = Arc::new(answers.entry(answer));
            answers.stored.put(&question, entry);
        }));
    }

    fn entry(&self, answer: CacheableResponse) -> Entry {
        let mut headers = self.headers.clone();
        headers.insert(CONTENT_TYPE, answer.media_type.header());
        let kept_ms = i64::try_from(TTL.as_millis()).unwrap_or(i64::MAX);
        let until_ms = self.stored.now_ms().saturating_add(kept_ms);
        Entry::build(NewEntry {
            status: StatusCode::OK,
            headers,
            body: answer.body,
            effort: Some(CompressionLevel::Page),
            created_at: answer.created_at,
            tag_versions: self.stored.tags.versions(answer.tags),
            lifetime: Lifetime {
                fresh_until_ms: until_ms,
                stale_until_ms: until_ms,
            },
        })
    }
}
