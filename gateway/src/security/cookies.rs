//! The cookies of somebody signed in, and reading any other.
use axum::http::HeaderMap;
use chrono::{DateTime, Utc};
use http::HeaderValue;
use http::header::COOKIE;

pub const SESSION: &str = "stillpoint_session";

/// Tells a browser that was signed in before from a stranger's; says nothing of who it was.
pub const DEVICE: &str = "stillpoint_device";

/// As long as browsers keep any cookie.
const DEVICE_MAX_AGE_SECS: u32 = 400 * 24 * 60 * 60;

/// The first cookie of this name.
pub fn read<'h>(headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|line| line.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find_map(|(key, value)| (key == name).then_some(value))
}

/// How session cookies are written for this site.
#[derive(Clone, Copy)]
pub struct SessionCookie {
    attributes: &'static str,
}

impl SessionCookie {
    pub fn for_https() -> Self {
        Self {
            attributes: "Path=/; HttpOnly; SameSite=Lax; Secure",
        }
    }

    pub fn for_http() -> Self {
        Self {
            attributes: "Path=/; HttpOnly; SameSite=Lax",
        }
    }

    /// `None` for a token that could break out of the header.
    pub fn set(self, token: &str, lives: (DateTime<Utc>, DateTime<Utc>)) -> Option<HeaderValue> {
        if !is_plain(token) {
            return None;
        }
        let (now, expires_at) = lives;
        let max_age = (expires_at - now).num_seconds().max(0);
        HeaderValue::try_from(format!(
            "{SESSION}={token}; {}; Max-Age={max_age}",
            self.attributes
        ))
        .ok()
    }

    /// Only the calls of signing in get it back.
    pub fn mark_device(self, mark: &str) -> Option<HeaderValue> {
        let secure = if self.attributes.ends_with("Secure") {
            "; Secure"
        } else {
            ""
        };
        let attributes =
            format!("Path=/api/auth; HttpOnly; SameSite=Strict{secure}; Max-Age={DEVICE_MAX_AGE_SECS}");
        let cookie = is_plain(mark).then(|| format!("{DEVICE}={mark}; {attributes}"))?;
        HeaderValue::try_from(cookie).ok()
    }

    pub fn clear(self) -> HeaderValue {
        HeaderValue::try_from(format!("{SESSION}=; {}; Max-Age=0", self.attributes))
            .unwrap_or_else(|_| HeaderValue::from_static("stillpoint_session=; Path=/; Max-Age=0"))
    }
}

fn is_plain(value: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    !value.is_empty() && value.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use chrono::TimeDelta;

    use super::*;

    #[test]
    fn cookie_is_found_among_others_and_lines() {
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("a=1; b=2"));
        headers.append(COOKIE, HeaderValue::from_static("stillpoint_session=abc; c=3"));
        assert_eq!(read(&headers, SESSION), Some("abc"));
        assert_eq!(read(&headers, "b"), Some("2"));
        assert_eq!(read(&headers, "d"), None);
    }

    #[test]
    fn cookie_is_secure_only_on_https() {
        let now = DateTime::UNIX_EPOCH;
        let lives = (now, now + TimeDelta::seconds(60));
        let plain = SessionCookie::for_http().set("t", lives).unwrap();
        assert_eq!(
            plain,
            "stillpoint_session=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=60"
        );
        let secure = SessionCookie::for_https().set("t", lives).unwrap();
        assert!(secure.to_str().unwrap().contains("; Secure"));
    }

    #[test]
    fn token_that_would_add_attributes_is_refused() {
        let now = DateTime::UNIX_EPOCH;
        assert!(
            SessionCookie::for_http()
                .set("t; Domain=evil", (now, now))
                .is_none()
        );
        assert!(SessionCookie::for_http().set("", (now, now)).is_none());
    }
}
