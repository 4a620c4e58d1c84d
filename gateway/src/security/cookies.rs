//! Names, writes and reads the site's cookies.
use axum::extract::Request;
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use chrono::TimeDelta;
use http::HeaderValue;
use http::header::SET_COOKIE;

use crate::protocol::cookie_header;

const SESSION: &str = "stillpoint_session";

/// Marks a browser that has signed in before; does not identify the member.
const DEVICE: &str = "stillpoint_device";

/// Marks a signed-in browser. Cached pages are the same for everyone and are painted before the session is known, so their
/// variant follows this cookie. Unlike the session cookie it is readable by scripts; it contains nothing else.
const MEMBER: &str = "stillpoint_member";

/// Ties what a provider of sign-in answers to the browser that asked.
const SOCIAL: &str = "stillpoint_social";

/// Browsers take a cookie of this prefix only over https, from this very host and for all of it: neither another subdomain nor
/// a page in the clear can plant one.
const HOST_PREFIX: &str = "__Host-";

/// Browsers accept a cookie of this prefix only over https. For cookies with a path, which `__Host-` does not allow.
const SECURE_PREFIX: &str = "__Secure-";

/// Which survey this browser began, and the key to its answers.
const SURVEY: &str = "stillpoint_survey";

/// Opens the draft of one page, at its path only.
pub const PREVIEW: &str = "stillpoint_preview";

/// As long as checkout keeps the answers of a survey that no member claims.
const SURVEY_MAX_AGE_SECS: u32 = 30 * 24 * 60 * 60;

/// As long as browsers keep any cookie.
const DEVICE_MAX_AGE_SECS: u32 = 400 * 24 * 60 * 60;

/// The mark of members comes and goes with their session, whichever call opens or ends it.
pub async fn set_member_hint(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    let lines = response.headers().get_all(SET_COOKIE);
    let marks: Vec<HeaderValue> = lines.iter().filter_map(mark_beside).collect();
    for mark in marks {
        response.headers_mut().append(SET_COOKIE, mark);
    }
    response
}

fn mark_beside(line: &HeaderValue) -> Option<HeaderValue> {
    let line = line.to_str().ok()?;
    let session = line.strip_prefix(HOST_PREFIX).unwrap_or(line);
    let session = session.strip_prefix(SESSION)?.strip_prefix('=')?;
    let (token, attributes) = session.split_once("; ")?;
    let mark = if token.is_empty() { "" } else { "1" };
    let attributes = attributes.replace("HttpOnly; ", "");
    HeaderValue::try_from(format!("{MEMBER}={mark}; {attributes}")).ok()
}

/// How the site's `HttpOnly` cookies are named, read and written. On https all names have the prefix `__Host-`, and the preview's,
/// which has a path, `__Secure-`.
#[derive(Clone, Copy)]
pub struct SessionCookie {
    prefix: &'static str,
    path_prefix: &'static str,
    attributes: &'static str,
    /// Of cookies that only the calls of signing in need; the prefix wants them sent everywhere.
    sign_in_path: &'static str,
    /// `; Secure` on https.
    secure: &'static str,
}

impl SessionCookie {
    pub fn for_https() -> Self {
        Self {
            prefix: HOST_PREFIX,
            path_prefix: SECURE_PREFIX,
            attributes: "Path=/; HttpOnly; SameSite=Lax; Secure",
            sign_in_path: "/",
            secure: "; Secure",
        }
    }

    pub fn for_http() -> Self {
        Self {
            prefix: "",
            path_prefix: "",
            attributes: "Path=/; HttpOnly; SameSite=Lax",
            sign_in_path: "/api/auth",
            secure: "",
        }
    }

    /// The token in the browser's session cookie, dead or alive.
    pub fn session(self, headers: &HeaderMap) -> Option<&str> {
        self.read(headers, SESSION).filter(|token| !token.is_empty())
    }

    /// Empty where no sign-in has marked the browser.
    pub fn device_cookie(self, headers: &HeaderMap) -> String {
        self.read(headers, DEVICE).unwrap_or_default().to_owned()
    }

    /// Empty where the browser asked no provider yet.
    pub fn social_browser(self, headers: &HeaderMap) -> String {
        self.read(headers, SOCIAL).unwrap_or_default().to_owned()
    }

    /// The order of this browser's survey and the key to its answers, as `set_survey` wrote them.
    pub fn survey(self, headers: &HeaderMap) -> Option<&str> {
        self.read(headers, SURVEY)
    }

    /// The token of a preview link that this browser has opened.
    pub fn preview(self, headers: &HeaderMap) -> Option<&str> {
        cookie_header::read(headers, &format!("{}{PREVIEW}", self.path_prefix))
    }

    fn read<'h>(self, headers: &'h HeaderMap, name: &str) -> Option<&'h str> {
        cookie_header::read(headers, &format!("{}{name}", self.prefix))
    }

    /// `None` for a token that could break out of the header.
    pub fn set(self, token: &str, lifetime: TimeDelta) -> Option<HeaderValue> {
        if !is_plain(token) {
            return None;
        }
        let max_age = lifetime.num_seconds().max(0);
        HeaderValue::try_from(format!(
            "{}{SESSION}={token}; {}; Max-Age={max_age}",
            self.prefix, self.attributes
        ))
        .ok()
    }

    pub fn set_device(self, mark: &str) -> Option<HeaderValue> {
        if !is_plain(mark) {
            return None;
        }
        let Self {
            prefix,
            sign_in_path,
            secure,
            ..
        } = self;
        HeaderValue::try_from(format!(
            "{prefix}{DEVICE}={mark}; Path={sign_in_path}; HttpOnly; SameSite=Strict{secure}; Max-Age={DEVICE_MAX_AGE_SECS}"
        ))
        .ok()
    }

    pub fn set_social_browser(self, browser: &str, lifetime: TimeDelta) -> Option<HeaderValue> {
        if !is_plain(browser) {
            return None;
        }
        let max_age = lifetime.num_seconds().max(0);
        let Self {
            prefix,
            sign_in_path,
            secure,
            ..
        } = self;
        HeaderValue::try_from(format!(
            "{prefix}{SOCIAL}={browser}; Path={sign_in_path}; HttpOnly; SameSite=Lax{secure}; Max-Age={max_age}"
        ))
        .ok()
    }

    pub fn set_survey(self, order_id: &str, access_key: &str) -> Option<HeaderValue> {
        let held = format!("{order_id}.{access_key}");
        if !is_plain(&held) || access_key.is_empty() {
            return None;
        }
        let Self {
            prefix, attributes, ..
        } = self;
        HeaderValue::try_from(format!(
            "{prefix}{SURVEY}={held}; {attributes}; Max-Age={SURVEY_MAX_AGE_SECS}"
        ))
        .ok()
    }

    /// An empty token with a `max_age_secs` of 0 deletes the cookie. `None` for a path that could break out of its attribute.
    pub fn set_preview(self, token: &str, path: &str, max_age_secs: i64) -> Option<HeaderValue> {
        if path.contains(';') {
            return None;
        }
        let Self {
            path_prefix, secure, ..
        } = self;
        HeaderValue::try_from(format!(
            "{path_prefix}{PREVIEW}={token}; Path={path}; HttpOnly; SameSite=Lax{secure}; Max-Age={max_age_secs}"
        ))
        .ok()
    }

    pub fn clear(self) -> HeaderValue {
        HeaderValue::try_from(format!(
            "{}{SESSION}=; {}; Max-Age=0",
            self.prefix, self.attributes
        ))
        .unwrap_or_else(|_| HeaderValue::from_static("stillpoint_session=; Path=/; Max-Age=0"))
    }
}

fn is_plain(value: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.' | b'~');
    !value.is_empty() && value.bytes().all(plain)
}

#[cfg(test)]
mod tests {
    use http::header::COOKIE;

    use super::*;

    #[test]
    fn cookie_is_secure_only_on_https() {
        let lifetime = TimeDelta::seconds(60);
        let plain = SessionCookie::for_http().set("t", lifetime).unwrap();
        assert_eq!(
            plain,
            "stillpoint_session=t; Path=/; HttpOnly; SameSite=Lax; Max-Age=60"
        );
    }

    #[test]
    fn on_https_every_cookie_is_bound_to_the_host() {
        let cookie = SessionCookie::for_https();
        let lifetime = TimeDelta::seconds(60);
        for line in [
            cookie.set("t", lifetime).unwrap(),
            cookie.clear(),
            cookie.set_device("m").unwrap(),
            cookie.set_social_browser("b", lifetime).unwrap(),
            cookie.set_survey("svo_1", "key1").unwrap(),
        ] {
            let line = line.to_str().unwrap();
            assert!(line.starts_with("__Host-stillpoint_"), "{line}");
            for needed in ["; Path=/;", "; Secure", "; HttpOnly"] {
                assert!(line.contains(needed), "{line} lacks {needed}");
            }
            assert!(!line.contains("Domain"), "{line}");
        }
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("stillpoint_session=planted"));
        assert_eq!(
            cookie.session(&headers),
            None,
            "a cookie without the prefix may be planted"
        );
        headers.append(COOKIE, HeaderValue::from_static("__Host-stillpoint_session=ours"));
        assert_eq!(cookie.session(&headers), Some("ours"));
        assert_eq!(SessionCookie::for_http().session(&headers), Some("planted"));
        headers.append(
            COOKIE,
            HeaderValue::from_static("stillpoint_survey=svo_1.planted"),
        );
        assert_eq!(cookie.survey(&headers), None);
        headers.append(
            COOKIE,
            HeaderValue::from_static("__Host-stillpoint_survey=svo_2.ours"),
        );
        assert_eq!(cookie.survey(&headers), Some("svo_2.ours"));
        assert_eq!(SessionCookie::for_http().survey(&headers), Some("svo_1.planted"));
    }

    #[test]
    fn on_https_the_preview_cookie_is_bound_to_https_and_to_its_page() {
        let cookie = SessionCookie::for_https();
        assert_eq!(
            cookie.set_preview("t", "/tr/", 60).unwrap(),
            "__Secure-stillpoint_preview=t; Path=/tr/; HttpOnly; SameSite=Lax; Secure; Max-Age=60"
        );
        assert_eq!(cookie.set_preview("", "/tr/; Domain=evil", 0), None);
        let mut headers = HeaderMap::new();
        headers.append(COOKIE, HeaderValue::from_static("stillpoint_preview=planted"));
        assert_eq!(cookie.preview(&headers), None);
        headers.append(
            COOKIE,
            HeaderValue::from_static("__Secure-stillpoint_preview=ours"),
        );
        assert_eq!(cookie.preview(&headers), Some("ours"));
        assert_eq!(SessionCookie::for_http().preview(&headers), Some("planted"));
    }

    #[test]
    fn member_cookie_lives_as_long_as_the_session_and_is_readable_by_scripts() {
        let lifetime = TimeDelta::seconds(60);
        let cookie = SessionCookie::for_https();
        let check = |line: HeaderValue, expected: &str| {
            assert_eq!(mark_beside(&line).unwrap(), expected);
        };
        check(
            cookie.set("t", lifetime).unwrap(),
            "stillpoint_member=1; Path=/; SameSite=Lax; Secure; Max-Age=60",
        );
        check(
            cookie.clear(),
            "stillpoint_member=; Path=/; SameSite=Lax; Secure; Max-Age=0",
        );
        assert_eq!(mark_beside(&cookie.set_device("m").unwrap()), None);
    }

    #[test]
    fn token_that_would_add_attributes_is_refused() {
        let cookie = SessionCookie::for_http();
        assert!(cookie.set("t; Domain=evil", TimeDelta::zero()).is_none());
        assert!(cookie.set("", TimeDelta::zero()).is_none());
    }
}
