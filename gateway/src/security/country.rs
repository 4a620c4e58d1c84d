//! Which country a visitor is in. The `ip` that browsers send is never looked at.
use axum::http::HeaderMap;
use http::header::ACCEPT_LANGUAGE;
use http::{HeaderName, HeaderValue};

const DEFAULT: &str = "US";

/// By the proxy in front when one is trusted, else by what the person chose, else by the browser's language region.
pub fn decide(headers: &HeaderMap, trusted: Option<&HeaderName>, chosen: Option<&str>) -> String {
    trusted
        .and_then(|name| headers.get(name))
        .and_then(|value| value.to_str().ok())
        .and_then(code)
        .or_else(|| chosen.and_then(code))
        .or_else(|| headers.get(ACCEPT_LANGUAGE).and_then(region))
        .unwrap_or_else(|| DEFAULT.to_owned())
}

/// Proxies say XX for "unknown" and T1 for Tor.
fn code(text: &str) -> Option<String> {
    let text = text.trim();
    let letters = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    (letters && !text.eq_ignore_ascii_case("XX")).then(|| text.to_ascii_uppercase())
}

/// The first language that names a region: `tr-TR,tr;q=0.9` is TR.
fn region(languages: &HeaderValue) -> Option<String> {
    let languages = languages.to_str().ok()?;
    languages.split(',').find_map(|language| {
        let tag = language.split(';').next()?.trim();
        tag.split('-').skip(1).find_map(code)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(headers: &[(&'static str, &'static str)], chosen: Option<&str>, expected: &str) {
        let pairs = headers
            .iter()
            .map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v)));
        let trusted = HeaderName::from_static("cf-ipcountry");
        assert_eq!(decide(&pairs.collect(), Some(&trusted), chosen), expected);
    }

    #[test]
    fn proxy_then_person_then_language_then_default() {
        check(
            &[("cf-ipcountry", "de"), ("accept-language", "tr-TR")],
            Some("FR"),
            "DE",
        );
        check(
            &[("cf-ipcountry", "XX"), ("accept-language", "tr-TR")],
            Some("fr"),
            "FR",
        );
        check(&[("accept-language", "en,tr-TR;q=0.8")], None, "TR");
        check(&[("accept-language", "zh-Hant-TW")], Some("not a country"), "TW");
        check(&[("accept-language", "en")], None, "US");
        check(&[], None, "US");
    }

    #[test]
    fn header_of_an_untrusted_proxy_is_ignored() {
        let headers = HeaderMap::from_iter([(
            HeaderName::from_static("cf-ipcountry"),
            HeaderValue::from_static("DE"),
        )]);
        assert_eq!(decide(&headers, None, None), "US");
    }
}
