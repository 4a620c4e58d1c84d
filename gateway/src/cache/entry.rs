//! A stored answer: every encoding with its complete headers, ready to be written.
use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use axum::http::HeaderMap;
use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, ACCEPT_RANGES, CONTENT_ENCODING, CONTENT_LENGTH, ETAG, IF_NONE_MATCH, IF_RANGE, RANGE,
    VARY,
};
use http::{HeaderValue, Method, Response, StatusCode};
use http_body_util::Full;
use sha2::{Digest, Sha256};

use crate::cache::compress;
use crate::cache::compress::CompressionLevel;
use crate::cache::range;
use crate::cache::tags::{CreatedAt, TagVersions};
use crate::protocol::trace::{Identity, TRACEPARENT, X_REQUEST_ID};
use crate::security::headers::CACHE_STATUS;

/// How an answer came about, as RFC 9211 says it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum CacheStatus {
    Hit,
    Stale,
    Miss,
}

impl CacheStatus {
    fn header(self) -> HeaderValue {
        HeaderValue::from_static(match self {
            Self::Hit => "stillpoint; hit",
            Self::Stale => "stillpoint; hit; fwd=stale",
            Self::Miss => "stillpoint; fwd=miss; stored",
        })
    }
}

/// When an answer is fresh, in milliseconds of the clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lifetime {
    pub fresh_until_ms: i64,
    pub stale_until_ms: i64,
}

/// What becomes an entry.
pub struct NewEntry {
    pub status: StatusCode,
    /// Complete but for what depends on the encoding.
    pub headers: HeaderMap,
    pub body: Bytes,
    pub effort: Option<CompressionLevel>,
    pub created_at: CreatedAt,
    pub tag_versions: TagVersions,
    pub lifetime: Lifetime,
}

#[derive(Debug)]
pub struct Entry {
    status: StatusCode,
    identity: Variant,
    gzip: Option<Variant>,
    brotli: Option<Variant>,
    pub created_at: CreatedAt,
    pub tag_versions: TagVersions,
    pub lifetime: Lifetime,
    /// No new render starts before: the last one failed.
    retry_at_ms: AtomicI64,
}

#[derive(Debug)]
struct Variant {
    etag: HeaderValue,
    headers: HeaderMap,
    not_modified: HeaderMap,
    body: Bytes,
    /// What stands before the body on the wire, but for the lines that differ from answer to answer.
    head: Bytes,
    not_modified_head: Bytes,
}

/// The request headers that select a variant.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConditionalRequest<'a> {
    pub head_only: bool,
    pub accept_encoding: &'a str,
    pub if_none_match: Option<&'a str>,
}

impl<'a> ConditionalRequest<'a> {
    fn of(method: &Method, headers: &'a HeaderMap) -> Self {
        let text = |name| headers.get(name).and_then(|value| value.to_str().ok());
        Self {
            head_only: *method == Method::HEAD,
            accept_encoding: text(ACCEPT_ENCODING).unwrap_or_default(),
            if_none_match: text(IF_NONE_MATCH),
        }
    }
}

impl Entry {
    /// Compresses: not for a thread that serves requests.
    pub fn build(mut draft: NewEntry) -> Self {
        // A piece of what is sent compressed would be a piece of something else.
        if draft.effort.is_none() && draft.status == StatusCode::OK {
            draft
                .headers
                .insert(ACCEPT_RANGES, HeaderValue::from_static("bytes"));
        }
        let hash = hex::encode(&Sha256::digest(&draft.body)[..12]);
        let brotli = draft
            .effort
            .and_then(|effort| compress::brotli(&draft.body, effort));
        let gzip = draft.effort.and_then(|_| compress::gzip(&draft.body));
        let variant = |body, encoding| Variant::new(draft.status, &draft.headers, &hash, body, encoding);
        Self {
            status: draft.status,
            brotli: brotli.map(|body| variant(body, Some("br"))),
            gzip: gzip.map(|body| variant(body, Some("gzip"))),
            identity: variant(draft.body.clone(), None),
            created_at: draft.created_at,
            tag_versions: draft.tag_versions,
            lifetime: draft.lifetime,
            retry_at_ms: AtomicI64::new(i64::MIN),
        }
    }

    pub fn status(&self) -> StatusCode {
        self.status
    }

    /// What it costs to keep.
    pub fn bytes(&self) -> usize {
        const HEADERS_BYTES: usize = 4096;
        let packed =
            |variant: &Option<Variant>| variant.as_ref().map_or(0, |it| it.body.len() + HEADERS_BYTES);
        self.identity.body.len() + HEADERS_BYTES + packed(&self.gzip) + packed(&self.brotli)
    }

    pub fn delay_retry(&self, now_ms: i64, wait: Duration) {
        let wait_ms = i64::try_from(wait.as_millis()).unwrap_or(i64::MAX);
        self.retry_at_ms
            .store(now_ms.saturating_add(wait_ms), Ordering::Relaxed);
    }

    pub fn is_retry_delayed(&self, now_ms: i64) -> bool {
        now_ms < self.retry_at_ms.load(Ordering::Relaxed)
    }

    pub fn respond(
        &self,
        method: &Method,
        request: &HeaderMap,
        outcome: CacheStatus,
    ) -> Response<Full<Bytes>> {
        let conditions = ConditionalRequest::of(method, request);
        let variant = self.variant(conditions);
        let (status, headers, body) = if self.is_not_modified(variant, conditions) {
            (StatusCode::NOT_MODIFIED, &variant.not_modified, Bytes::new())
        } else if let Some(part) = self.range_response(method, request) {
            return part;
        } else if conditions.head_only {
            (self.status, &variant.headers, Bytes::new())
        } else {
            (self.status, &variant.headers, variant.body.clone())
        };
        let mut response = Response::new(Full::new(body));
        *response.status_mut() = status;
        *response.headers_mut() = headers.clone();
        if outcome != CacheStatus::Hit {
            response.headers_mut().insert(CACHE_STATUS, outcome.header());
        }
        Identity::of(request).write(response.headers_mut());
        response
    }

    /// The range that a player requests when seeking. Safari plays no audio without ranges.
    fn range_response(&self, method: &Method, request: &HeaderMap) -> Option<Response<Full<Bytes>>> {
        let range = request.get(RANGE)?.to_str().ok()?;
        let Variant {
            body, headers, etag, ..
        } = &self.identity;
        let is_of_this = request.get(IF_RANGE).is_none_or(|known| known == etag);
        if *method != Method::GET || !headers.contains_key(ACCEPT_RANGES) || !is_of_this {
            return None;
        }
        let (status, mut headers, piece) = range::partial_response(range, headers, body)?;
        Identity::of(request).write(&mut headers);
        let mut response = Response::new(Full::new(piece));
        *response.status_mut() = status;
        *response.headers_mut() = headers;
        Some(response)
    }

    /// The bytes of a hit: its head without the lines of this one answer, and its body.
    pub fn raw_response(&self, conditions: ConditionalRequest<'_>) -> (Bytes, Bytes) {
        let variant = self.variant(conditions);
        if self.is_not_modified(variant, conditions) {
            return (variant.not_modified_head.clone(), Bytes::new());
        }
        let body = if conditions.head_only {
            Bytes::new()
        } else {
            variant.body.clone()
        };
        (variant.head.clone(), body)
    }

    fn variant(&self, conditions: ConditionalRequest<'_>) -> &Variant {
        match (&self.brotli, &self.gzip) {
            (Some(brotli), _) if accepts(conditions.accept_encoding, "br") => brotli,
            (_, Some(gzip)) if accepts(conditions.accept_encoding, "gzip") => gzip,
            _ => &self.identity,
        }
    }

    fn is_not_modified(&self, variant: &Variant, conditions: ConditionalRequest<'_>) -> bool {
        self.status == StatusCode::OK
            && conditions
                .if_none_match
                .is_some_and(|known| names(known, &variant.etag))
    }
}

impl Variant {
    fn new(
        status: StatusCode,
        shared: &HeaderMap,
        hash: &str,
        body: Bytes,
        encoding: Option<&'static str>,
    ) -> Self {
        let mut headers = shared.clone();
        let etag = HeaderValue::try_from(match encoding {
            Some(encoding) => format!("\"{hash}-{encoding}\""),
            None => format!("\"{hash}\""),
        });
        let etag = etag.unwrap_or_else(|_| HeaderValue::from_static("\"\""));
        headers.insert(ETAG, etag.clone());
        headers.insert(VARY, HeaderValue::from_static("accept-encoding"));
        headers.insert(CACHE_STATUS, CacheStatus::Hit.header());
        let mut not_modified = headers.clone();
        not_modified.remove(http::header::CONTENT_TYPE);
        headers.insert(CONTENT_LENGTH, HeaderValue::from(body.len()));
        if let Some(encoding) = encoding {
            headers.insert(CONTENT_ENCODING, HeaderValue::from_static(encoding));
        }
        let own_head = head(status, &headers);
        let not_modified_head = head(StatusCode::NOT_MODIFIED, &not_modified);
        // Their places are taken up now, so that writing a request's own values moves nothing.
        for headers in [&mut headers, &mut not_modified] {
            headers.insert(X_REQUEST_ID, HeaderValue::from_static(""));
            headers.insert(TRACEPARENT, HeaderValue::from_static(""));
        }
        Self {
            etag,
            headers,
            not_modified,
            body,
            head: own_head,
            not_modified_head,
        }
    }
}

fn head(status: StatusCode, headers: &HeaderMap) -> Bytes {
    let reason = status.canonical_reason().unwrap_or_default();
    let mut head = format!("HTTP/1.1 {} {reason}\r\n", status.as_u16()).into_bytes();
    for (name, value) in headers {
        head.extend_from_slice(name.as_str().as_bytes());
        head.extend_from_slice(b": ");
        head.extend_from_slice(value.as_bytes());
        head.extend_from_slice(b"\r\n");
    }
    head.into()
}

/// `q=0` is a refusal; other weights do not matter, as the smallest accepted is served.
fn accepts(accepted: &str, encoding: &str) -> bool {
    accepted.split(',').any(|offer| {
        let mut parts = offer.split(';').map(str::trim);
        let named = parts
            .next()
            .is_some_and(|name| name.eq_ignore_ascii_case(encoding));
        named && !parts.any(|part| matches!(part, "q=0" | "q=0.0" | "q=0.00" | "q=0.000"))
    })
}

/// Weak comparison, as RFC 9110 asks for here.
fn names(known: &str, etag: &HeaderValue) -> bool {
    let Ok(etag) = etag.to_str() else {
        return false;
    };
    known
        .split(',')
        .map(str::trim)
        .any(|tag| tag == "*" || tag.strip_prefix("W/").unwrap_or(tag) == etag)
}

#[cfg(test)]
mod tests {
    use http::HeaderName;
    use http_body_util::BodyExt;

    use super::*;

    fn entry(status: StatusCode) -> Entry {
        Entry::build(NewEntry {
            status,
            headers: HeaderMap::from_iter([(
                http::header::CONTENT_TYPE,
                HeaderValue::from_static("text/html"),
            )]),
            body: "<p>calm</p>".repeat(200).into(),
            effort: Some(CompressionLevel::Page),
            created_at: CreatedAt::UNKNOWN,
            tag_versions: TagVersions::default(),
            lifetime: Lifetime {
                fresh_until_ms: 1,
                stale_until_ms: 2,
            },
        })
    }

    fn with(name: HeaderName, value: &str) -> HeaderMap {
        HeaderMap::from_iter([(name, HeaderValue::from_str(value).unwrap())])
    }

    fn encoding_of(accepted: &str) -> Option<String> {
        let response =
            entry(StatusCode::OK).respond(&Method::GET, &with(ACCEPT_ENCODING, accepted), CacheStatus::Hit);
        response
            .headers()
            .get(CONTENT_ENCODING)
            .map(|value| value.to_str().unwrap().to_owned())
    }

    #[test]
    fn smallest_accepted_encoding_is_served() {
        assert_eq!(encoding_of("gzip, deflate, br, zstd").as_deref(), Some("br"));
        assert_eq!(encoding_of("gzip;q=1.0, br;q=0").as_deref(), Some("gzip"));
        assert_eq!(encoding_of("GZIP").as_deref(), Some("gzip"));
        assert_eq!(encoding_of("identity"), None);
        assert_eq!(encoding_of(""), None);
    }

    #[tokio::test]
    async fn head_has_the_headers_of_get_and_no_body() {
        let entry = entry(StatusCode::OK);
        let get = entry.respond(&Method::GET, &HeaderMap::new(), CacheStatus::Hit);
        let head = entry.respond(&Method::HEAD, &HeaderMap::new(), CacheStatus::Hit);
        assert_eq!(get.headers()[CONTENT_LENGTH], head.headers()[CONTENT_LENGTH]);
        assert_eq!(get.into_body().collect().await.unwrap().to_bytes().len(), 2200);
        assert!(head.into_body().collect().await.unwrap().to_bytes().is_empty());
    }

    #[test]
    fn known_etag_answers_304_for_the_same_encoding_only() {
        let entry = entry(StatusCode::OK);
        let etag = entry
            .respond(&Method::GET, &HeaderMap::new(), CacheStatus::Hit)
            .headers()[ETAG]
            .clone();
        let etag = etag.to_str().unwrap();
        let conditions = |tags: &str, encoding: &str| {
            let mut request = with(IF_NONE_MATCH, tags);
            request.insert(ACCEPT_ENCODING, HeaderValue::from_str(encoding).unwrap());
            entry
                .respond(&Method::GET, &request, CacheStatus::Hit)
                .status()
                .as_u16()
        };
        assert_eq!(conditions(etag, "identity"), 304);
        assert_eq!(conditions(&format!("\"x\", W/{etag}"), "identity"), 304);
        assert_eq!(conditions("*", "br"), 304);
        assert_eq!(conditions(etag, "br"), 200);
        assert_eq!(conditions("\"x\"", "identity"), 200);
    }

    #[test]
    fn missing_page_is_never_not_modified() {
        let response =
            entry(StatusCode::NOT_FOUND).respond(&Method::GET, &with(IF_NONE_MATCH, "*"), CacheStatus::Hit);
        assert_eq!(response.status(), StatusCode::NOT_FOUND);
    }

    #[test]
    fn every_answer_has_a_name_of_its_own() {
        let entry = entry(StatusCode::OK);
        let id = || {
            entry
                .respond(&Method::GET, &HeaderMap::new(), CacheStatus::Hit)
                .headers()[X_REQUEST_ID]
                .clone()
        };
        assert_ne!(id(), id());
        assert_eq!(id().len(), 32);
    }
}
