//! Every request has a name: `x-request-id` for people, `traceparent` for traces. Both go inwards and back out.
use std::sync::LazyLock;
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use bytes::Bytes;
use http::{HeaderName, HeaderValue, StatusCode};
use kit::telemetry::Handles;
use metrics::{Counter, Histogram};
use tracing::Instrument;

pub const X_REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");
pub const TRACEPARENT: HeaderName = HeaderName::from_static("traceparent");

const OUTCOMES: [&str; 3] = ["ok", "refused", "failed"];

static MEASURED: LazyLock<Handles<Measured>> = LazyLock::new(Handles::default);

const TRACE_ID: std::ops::Range<usize> = 3..35;
const TRACEPARENT_LEN: usize = 55;

tokio::task_local! {
    static CURRENT: HeaderValue;
}

/// The id of the request being answered by this task; empty outside of one.
pub fn request_id() -> String {
    let read = |id: &HeaderValue| id.to_str().unwrap_or_default().to_owned();
    CURRENT.try_with(read).unwrap_or_default()
}

#[derive(Clone)]
pub struct Identity {
    pub request_id: HeaderValue,
    pub traceparent: HeaderValue,
}

impl Identity {
    /// Takes up the caller's trace and request id where they are well formed, else begins anew.
    pub fn of(headers: &HeaderMap) -> Self {
        let line = Bytes::copy_from_slice(&trace_line(headers.get(&TRACEPARENT).map(HeaderValue::as_bytes)));
        let own_id = line.slice(TRACE_ID);
        let given = headers
            .get(&X_REQUEST_ID)
            .filter(|id| is_request_id(id.as_bytes()))
            .cloned();
        Self {
            request_id: given.unwrap_or_else(|| header(own_id)),
            traceparent: header(line),
        }
    }

    pub fn write(self, headers: &mut HeaderMap) {
        headers.insert(X_REQUEST_ID, self.request_id);
        headers.insert(TRACEPARENT, self.traceparent);
    }
}

/// The same, as lines of a head that is written directly.
pub fn write_lines(head: &mut Vec<u8>, traceparent: Option<&[u8]>, request_id: Option<&[u8]>) {
    let line = trace_line(traceparent);
    head.extend_from_slice(b"x-request-id: ");
    head.extend_from_slice(
        request_id
            .filter(|id| is_request_id(id))
            .unwrap_or(&line[TRACE_ID]),
    );
    head.extend_from_slice(b"\r\ntraceparent: ");
    head.extend_from_slice(&line);
    head.extend_from_slice(b"\r\n");
}

fn trace_line(incoming: Option<&[u8]>) -> [u8; TRACEPARENT_LEN] {
    let mut line = [0_u8; TRACEPARENT_LEN];
    match incoming.filter(|line| is_traceparent(line)) {
        Some(incoming) => line.copy_from_slice(incoming),
        None => begin_trace(&mut line),
    }
    write_hex(&mut line[36..52], &rand::random::<[u8; 8]>());
    line
}

fn begin_trace(line: &mut [u8; TRACEPARENT_LEN]) {
    line.copy_from_slice(b"00-00000000000000000000000000000000-0000000000000000-01");
    write_hex(&mut line[TRACE_ID], &rand::random::<[u8; 16]>());
}

fn write_hex(target: &mut [u8], bytes: &[u8]) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    for (pair, byte) in target.chunks_exact_mut(2).zip(bytes) {
        pair[0] = DIGITS[usize::from(byte >> 4)];
        pair[1] = DIGITS[usize::from(byte & 15)];
    }
}

/// Hex digits and checked ids only come here.
fn header(text: Bytes) -> HeaderValue {
    HeaderValue::from_maybe_shared(text).unwrap_or_else(|_| HeaderValue::from_static("unnamed"))
}

/// Version 00, lower case, neither id all zeros (W3C trace context).
fn is_traceparent(line: &[u8]) -> bool {
    let hex = |part: &[u8]| {
        part.iter()
            .all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(byte))
    };
    let some = |part: &[u8]| part.iter().any(|byte| *byte != b'0');
    line.len() == TRACEPARENT_LEN
        && line.starts_with(b"00-")
        && line[35] == b'-'
        && line[52] == b'-'
        && hex(&line[TRACE_ID])
        && hex(&line[36..52])
        && hex(&line[53..])
        && some(&line[TRACE_ID])
        && some(&line[36..52])
}

fn is_request_id(id: &[u8]) -> bool {
    (8..=64).contains(&id.len())
        && id
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_'))
}

/// The outermost layer of everything that is not a cached page.
pub async fn identify(mut request: Request, next: Next) -> Response {
    let identity = Identity::of(request.headers());
    identity.clone().write(request.headers_mut());
    let route = request
        .extensions()
        .get::<MatchedPath>()
        .map_or("page", MatchedPath::as_str)
        .to_owned();
    let method = request.method().clone();
    let id = identity.request_id.clone();
    let span =
        tracing::info_span!("request", %method, route, request_id = ?id, status = tracing::field::Empty);
    kit::telemetry::extract_headers(&span, request.headers());

    let began = Instant::now();
    let mut response = CURRENT
        .scope(id, next.run(request))
        .instrument(span.clone())
        .await;
    let status = response.status();
    span.record("status", status.as_u16());
    measure(&route, status, began);
    if status.is_server_error() {
        span.in_scope(|| tracing::warn!(status = status.as_u16(), "request failed"));
    }
    identity.write(response.headers_mut());
    response
}

/// Of one route.
struct Measured {
    requests: [Counter; OUTCOMES.len()],
    seconds: [Histogram; OUTCOMES.len()],
}

impl Measured {
    fn of(route: &str) -> Self {
        let labels = OUTCOMES.map(|outcome| [("route", route.to_owned()), ("outcome", outcome.to_owned())]);
        Self {
            requests: labels
                .each_ref()
                .map(|labels| metrics::counter!("gateway_requests_total", labels)),
            seconds: labels
                .each_ref()
                .map(|labels| metrics::histogram!("gateway_request_seconds", labels)),
        }
    }
}

fn measure(route: &str, status: StatusCode, began: Instant) {
    let outcome = match status.as_u16() {
        100..400 => 0,
        400..500 => 1,
        _ => 2,
    };
    let measured = MEASURED.of(route, || Measured::of(route));
    measured.requests[outcome].increment(1);
    measured.seconds[outcome].record(began.elapsed());
}

#[cfg(test)]
mod tests {
    use super::*;

    const GIVEN: &str = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

    fn of(name: HeaderName, value: &'static str) -> Identity {
        Identity::of(&HeaderMap::from_iter([(name, HeaderValue::from_static(value))]))
    }

    #[test]
    fn fresh_identity_is_a_valid_trace_and_names_itself() {
        let fresh = Identity::of(&HeaderMap::new());
        assert!(
            is_traceparent(fresh.traceparent.as_bytes()),
            "{:?}",
            fresh.traceparent
        );
        assert_eq!(
            fresh.request_id.as_bytes(),
            &fresh.traceparent.as_bytes()[TRACE_ID]
        );
        assert_ne!(fresh.request_id, Identity::of(&HeaderMap::new()).request_id);
    }

    #[test]
    fn trace_of_the_caller_is_continued_with_a_span_of_our_own() {
        let line = of(TRACEPARENT, GIVEN).traceparent;
        assert_eq!(line.as_bytes()[..35], GIVEN.as_bytes()[..35]);
        assert_ne!(line, GIVEN);
    }

    #[test]
    fn malformed_ids_are_replaced() {
        for line in [
            "00-0",
            "00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01",
            "ff-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01",
        ] {
            assert_ne!(
                of(TRACEPARENT, line).request_id.as_bytes(),
                &line.as_bytes()[..line.len().min(32)]
            );
            assert!(is_traceparent(of(TRACEPARENT, line).traceparent.as_bytes()));
        }
        assert_eq!(of(X_REQUEST_ID, "order-4711").request_id, "order-4711");
        assert_ne!(of(X_REQUEST_ID, "a b c d e f g").request_id, "a b c d e f g");
    }
}
