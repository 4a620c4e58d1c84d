//! How long a renderer's response may be stored, here and in browsers.
use std::time::Duration;

use axum::http::HeaderMap;
use http::header::{CACHE_CONTROL, SET_COOKIE};
use http::{HeaderValue, StatusCode};

use crate::cache::entry::Lifetime;

/// For responses without `Cache-Control`, such as a page without its prices: long enough to protect the renderer.
const INCOMPLETE_TTL: Duration = Duration::from_secs(2);
/// A page that does not exist may exist soon.
const NOT_FOUND_TTL_MAX: Duration = Duration::from_mins(1);

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum CachePolicy {
    /// A page: kept here, and asked for again by browsers each time.
    Page(Duration),
    /// A file that says itself how long browsers may keep it.
    File {
        kept: Duration,
        cache_control: HeaderValue,
    },
    /// Not what it should be: something it needs was missing.
    Incomplete,
    Never,
}

impl CachePolicy {
    pub fn of(status: StatusCode, headers: &HeaderMap) -> Self {
        let value = headers.get(CACHE_CONTROL);
        let control = value.and_then(|value| value.to_str().ok()).unwrap_or_default();
        let says = |word: &str| directives(control).any(|(name, _)| name.eq_ignore_ascii_case(word));
        if headers.contains_key(SET_COOKIE) || says("no-store") || says("private") {
            return Self::Never;
        }
        let storable = matches!(
            status,
            StatusCode::OK
                | StatusCode::NOT_FOUND
                | StatusCode::GONE
                | StatusCode::MOVED_PERMANENTLY
                | StatusCode::PERMANENT_REDIRECT
        );
        let shared = seconds(control, "s-maxage");
        match (shared, seconds(control, "max-age"), value) {
            _ if !storable => Self::Never,
            (Some(kept), _, _) if !kept.is_zero() => Self::Page(at_most(status, kept)),
            (None, Some(kept), Some(value)) if !kept.is_zero() && status == StatusCode::OK => Self::File {
                kept,
                cache_control: value.clone(),
            },
            _ => Self::Incomplete,
        }
    }

    pub fn cache_control(&self) -> HeaderValue {
        match self {
            Self::File { cache_control, .. } => cache_control.clone(),
            Self::Page(_) | Self::Incomplete => {
                HeaderValue::from_static("public, max-age=0, must-revalidate")
            }
            Self::Never => HeaderValue::from_static("no-store"),
        }
    }

    pub fn lifetime(&self, now_ms: i64, stale_window: Duration) -> Lifetime {
        let millis = |span: Duration| i64::try_from(span.as_millis()).unwrap_or(i64::MAX);
        let kept = match self {
            Self::Page(kept) | Self::File { kept, .. } => *kept,
            Self::Incomplete => INCOMPLETE_TTL,
            Self::Never => Duration::ZERO,
        };
        let fresh_until_ms = now_ms.saturating_add(millis(kept));
        // What was made without a part of itself is not shown again once a whole one can be had.
        let stale = if *self == Self::Incomplete {
            Duration::ZERO
        } else {
            stale_window
        };
        Lifetime {
            fresh_until_ms,
            stale_until_ms: fresh_until_ms.saturating_add(millis(stale)),
        }
    }
}

fn at_most(status: StatusCode, kept: Duration) -> Duration {
    if status == StatusCode::NOT_FOUND {
        kept.min(NOT_FOUND_TTL_MAX)
    } else {
        kept
    }
}

fn directives(control: &str) -> impl Iterator<Item = (&str, &str)> {
    control
        .split(',')
        .map(|part| part.trim().split_once('=').unwrap_or((part.trim(), "")))
}

fn seconds(control: &str, name: &str) -> Option<Duration> {
    let (_, value) = directives(control).find(|(directive, _)| directive.eq_ignore_ascii_case(name))?;
    value.trim_matches('"').parse().ok().map(Duration::from_secs)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, control: &'static str) -> CachePolicy {
        let headers = HeaderMap::from_iter([(CACHE_CONTROL, HeaderValue::from_static(control))]);
        CachePolicy::of(StatusCode::from_u16(status).unwrap(), &headers)
    }

    #[test]
    fn shared_age_makes_a_page() {
        assert_eq!(
            of(200, "public, max-age=0, s-maxage=3600"),
            CachePolicy::Page(Duration::from_hours(1))
        );
        assert_eq!(of(404, "s-maxage=3600"), CachePolicy::Page(NOT_FOUND_TTL_MAX));
        assert_eq!(of(404, "s-maxage=10"), CachePolicy::Page(Duration::from_secs(10)));
    }

    #[test]
    fn file_is_kept_by_browsers_as_it_says() {
        let policy = of(200, "public, max-age=31536000, immutable");
        assert_eq!(policy.cache_control(), "public, max-age=31536000, immutable");
        assert_eq!(policy.lifetime(0, Duration::ZERO).fresh_until_ms, 31_536_000_000);
    }

    #[test]
    fn response_without_cache_control_is_stored_briefly_and_private_never() {
        for control in ["", "public", "s-maxage=0", "max-age=0"] {
            assert_eq!(of(200, control), CachePolicy::Incomplete, "{control}");
        }
        for control in ["no-store", "private, max-age=60", "s-maxage=60, private"] {
            assert_eq!(of(200, control), CachePolicy::Never, "{control}");
        }
        assert_eq!(of(302, "s-maxage=60"), CachePolicy::Never);
        let cookie = HeaderMap::from_iter([(SET_COOKIE, HeaderValue::from_static("a=b"))]);
        assert_eq!(CachePolicy::of(StatusCode::OK, &cookie), CachePolicy::Never);
    }

    #[test]
    fn incomplete_page_is_not_shown_past_its_time() {
        let hour = Duration::from_hours(1);
        assert_eq!(
            CachePolicy::Incomplete.lifetime(0, hour),
            Lifetime {
                fresh_until_ms: 2_000,
                stale_until_ms: 2_000
            }
        );
        let page = CachePolicy::Page(Duration::from_secs(1)).lifetime(0, hour);
        assert_eq!(
            page,
            Lifetime {
                fresh_until_ms: 1_000,
                stale_until_ms: 3_601_000
            }
        );
    }
}
