//! Rendered pages in Redis, where there is one; they outlive this process.
//!
//! An entry from here is never fresh: it is served while a new one is rendered, or when none can be.
use std::time::Duration;

use axum::http::HeaderMap;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode};
use kit::cache::Cache;
use serde::{Deserialize, Serialize};

use crate::cache::cache_policy::CachePolicy;
use crate::cache::tags::CacheTag;
use crate::pages::render::Rendered;

pub struct L2Cache {
    cache: Cache,
}

/// Everything but the body, as one line of JSON before it.
#[derive(Serialize, Deserialize)]
struct StoredHead {
    status: u16,
    headers: Vec<(String, String)>,
    tags: Vec<String>,
}

impl L2Cache {
    pub fn new(cache: Cache) -> Self {
        Self { cache }
    }

    pub async fn put(&self, path: &str, rendered: &Rendered, for_at_most: Duration) {
        if let Some(stored) = to_bytes(rendered) {
            self.cache.set(&key(path), &stored, for_at_most).await;
        }
    }

    pub async fn get(&self, path: &str) -> Option<Rendered> {
        let stored = self.cache.get(&key(path)).await?;
        from_bytes(stored.into())
    }
}

fn key(path: &str) -> String {
    format!("stillpoint:page:{path}")
}

fn to_bytes(rendered: &Rendered) -> Option<Vec<u8>> {
    let text = |(name, value): (&HeaderName, &HeaderValue)| {
        Some((name.to_string(), value.to_str().ok()?.to_owned()))
    };
    let label = StoredHead {
        status: rendered.status.as_u16(),
        headers: rendered.headers.iter().filter_map(text).collect(),
        tags: rendered.tags.iter().map(|tag| tag.as_str().to_owned()).collect(),
    };
    let mut stored = serde_json::to_vec(&label).ok()?;
    stored.push(b'\n');
    stored.extend_from_slice(&rendered.body);
    Some(stored)
}

fn from_bytes(mut stored: Bytes) -> Option<Rendered> {
    let end = stored.iter().position(|byte| *byte == b'\n')?;
    let label: StoredHead = serde_json::from_slice(stored.get(..end)?).ok()?;
    let header = |(name, value): (String, String)| {
        Some((
            HeaderName::try_from(name).ok()?,
            HeaderValue::try_from(value).ok()?,
        ))
    };
    Some(Rendered {
        status: StatusCode::from_u16(label.status).ok()?,
        headers: label
            .headers
            .into_iter()
            .filter_map(header)
            .collect::<HeaderMap>(),
        body: stored.split_off(end + 1),
        // Of no age at all: usable, not fresh.
        cache_policy: CachePolicy::Page(Duration::ZERO),
        tags: label.tags.into_iter().map(CacheTag::stored).collect(),
    })
}

#[cfg(test)]
mod tests {
    use http::header::CONTENT_TYPE;

    use super::*;

    #[test]
    fn stored_page_comes_back_but_not_as_fresh() {
        let rendered = Rendered {
            status: StatusCode::OK,
            headers: HeaderMap::from_iter([(CONTENT_TYPE, HeaderValue::from_static("text/html"))]),
            body: "<p>\nsâkin</p>".into(),
            cache_policy: CachePolicy::Page(Duration::from_mins(1)),
            tags: vec![CacheTag::page("/a"), CacheTag::offers()],
        };
        let back = from_bytes(to_bytes(&rendered).unwrap().into()).unwrap();
        assert_eq!(
            (back.status, &back.headers, &back.body, &back.tags),
            (StatusCode::OK, &rendered.headers, &rendered.body, &rendered.tags)
        );
        assert_eq!(
            back.cache_policy
                .lifetime(0, Duration::from_secs(9))
                .fresh_until_ms,
            0
        );
    }

    #[test]
    fn unreadable_entry_is_missing() {
        for stored in [&b""[..], b"{}", b"{}\nbody", b"\xff\n"] {
            assert!(from_bytes(Bytes::from_static(stored)).is_none());
        }
    }
}
