//! The country of a visitor. The `ip` field that browsers send is ignored.
use axum::http::HeaderMap;
use http::HeaderName;
use http::header::ACCEPT_LANGUAGE;

const DEFAULT: &str = "US";

/// By the proxy in front when one is trusted, else by what the person chose, else by the browser's language region.
pub fn decide(headers: &HeaderMap, trusted: Option<&HeaderName>, chosen: Option<&str>) -> String {
    by_proxy(headers, trusted)
        .or_else(|| chosen.and_then(code))
        .or_else(|| region(headers, |_| true))
        .unwrap_or_else(|| DEFAULT.to_owned())
}

/// For uses where a guess is harmful, such as helplines: from the proxy, else the region of the reader's language, else
/// empty. Browsers are delivered as `en-US` all over the world.
pub fn known(headers: &HeaderMap, trusted: Option<&HeaderName>, reads: &str) -> String {
    by_proxy(headers, trusted)
        .or_else(|| region(headers, |language| language.eq_ignore_ascii_case(reads)))
        .unwrap_or_default()
}

fn by_proxy(headers: &HeaderMap, trusted: Option<&HeaderName>) -> Option<String> {
    headers.get(trusted?)?.to_str().ok().and_then(code)
}

/// Proxies say XX for "unknown" and T1 for Tor.
fn code(text: &str) -> Option<String> {
    let text = text.trim();
    let letters = text.len() == 2 && text.bytes().all(|byte| byte.is_ascii_alphabetic());
    (letters && !text.eq_ignore_ascii_case("XX")).then(|| text.to_ascii_uppercase())
}

/// Of the first language that counts and names one: `tr-TR,tr;q=0.9` is TR.
fn region(headers: &HeaderMap, counts: impl Fn(&str) -> bool) -> Option<String> {
    let languages = headers.get(ACCEPT_LANGUAGE)?.to_str().ok()?;
    languages.split(',').find_map(|language| {
        let mut parts = language.split(';').next()?.trim().split('-');
        let language = parts.next()?;
        counts(language).then(|| parts.find_map(code)).flatten()
    })
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

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
    fn what_is_not_known_is_not_guessed() {
        let known = |languages: &'static str, reads: &str| {
            let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static(languages))]);
            super::known(&headers, None, reads)
        };
        assert_eq!(known("en-US,de-AT;q=0.8", "de"), "AT");
        assert_eq!(known("en-US,en;q=0.9", "de"), "");
        assert_eq!(known("en-GB", "en"), "GB");
        assert_eq!(known("fr", "fr"), "");
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
