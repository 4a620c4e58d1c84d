//! The caller's deadline: task-local, and the header `grpc-timeout` between services.
//!
//! A spawned task has none, because it may outlive the request.

use std::time::Duration;

use http::{HeaderMap, HeaderValue};
use tokio::time::Instant;

const HEADER: &str = "grpc-timeout";

/// The protocol allows eight digits.
const MAX_HEADER_MILLIS: u128 = 99_999_999;

tokio::task_local! {
    static DEADLINE: Instant;
}

/// The deadline has passed; the outcome of the work is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("time is up")]
pub struct Elapsed;

impl From<Elapsed> for crate::error::Failure {
    fn from(_: Elapsed) -> Self {
        Self::timeout()
    }
}

/// Runs `future` for at most `limit`, or for what is left of an earlier deadline if that is less.
pub async fn within<F: Future>(limit: Duration, future: F) -> Result<F::Output, Elapsed> {
    let mut deadline = Instant::now() + limit;
    if let Ok(outer) = DEADLINE.try_with(|outer| *outer) {
        deadline = deadline.min(outer);
    }
    tokio::time::timeout_at(deadline, DEADLINE.scope(deadline, future))
        .await
        .map_err(|_| Elapsed)
}

/// Remaining time, zero after the deadline; `None` without one.
pub fn remaining() -> Option<Duration> {
    DEADLINE
        .try_with(|deadline| deadline.saturating_duration_since(Instant::now()))
        .ok()
}

pub(crate) fn write_header(headers: &mut HeaderMap, left: Duration) {
    let millis = left.as_millis().min(MAX_HEADER_MILLIS);
    if let Ok(value) = HeaderValue::try_from(format!("{millis}m")) {
        headers.insert(HEADER, value);
    }
}

/// `None` for an absent or malformed header, as the protocol requires.
pub(crate) fn read_header(headers: &HeaderMap) -> Option<Duration> {
    let text = headers.get(HEADER)?.to_str().ok()?;
    let (digits, unit) = text.split_at_checked(text.len().checked_sub(1)?)?;
    if digits.is_empty() || digits.len() > 8 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let amount: u64 = digits.parse().ok()?;
    match unit {
        "H" => Some(Duration::from_hours(amount)),
        "M" => Some(Duration::from_mins(amount)),
        "S" => Some(Duration::from_secs(amount)),
        "m" => Some(Duration::from_millis(amount)),
        "u" => Some(Duration::from_micros(amount)),
        "n" => Some(Duration::from_nanos(amount)),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn headers(value: &str) -> HeaderMap {
        HeaderMap::from_iter([(
            http::HeaderName::from_static(HEADER),
            HeaderValue::from_str(value).unwrap(),
        )])
    }

    #[test]
    fn the_header_reads_back_as_written() {
        let mut headers = HeaderMap::new();
        write_header(&mut headers, Duration::from_millis(1500));
        assert_eq!(headers[HEADER], "1500m");
        assert_eq!(read_header(&headers), Some(Duration::from_millis(1500)));
    }

    #[test]
    fn every_unit_is_understood_and_nonsense_is_not() {
        assert_eq!(read_header(&headers("2H")), Some(Duration::from_hours(2)));
        assert_eq!(read_header(&headers("3M")), Some(Duration::from_mins(3)));
        assert_eq!(read_header(&headers("4S")), Some(Duration::from_secs(4)));
        assert_eq!(read_header(&headers("5u")), Some(Duration::from_micros(5)));
        assert_eq!(read_header(&headers("6n")), Some(Duration::from_nanos(6)));
        for wrong in ["", "S", "123456789S", "-1S", "1.5S", "5", "5x"] {
            assert_eq!(read_header(&headers(wrong)), None, "{wrong}");
        }
    }

    #[tokio::test(start_paused = true)]
    async fn an_inner_limit_never_outlasts_the_outer_one() {
        assert_eq!(remaining(), None);
        let outcome = within(Duration::from_secs(1), async {
            within(Duration::from_secs(10), async {
                assert_eq!(remaining(), Some(Duration::from_secs(1)));
                tokio::time::sleep(Duration::from_secs(5)).await;
            })
            .await
        })
        .await;
        assert!(matches!(outcome, Err(Elapsed) | Ok(Err(Elapsed))));
    }
}
