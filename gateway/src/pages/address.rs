//! What an address means, before anything is looked up: a page, a file, another address, or nothing.
use axum::http::HeaderMap;
use blocks::Locale;
use http::StatusCode;

use crate::pages::locale;
use crate::security::redirects::OwnPath;

const LONGEST_BYTES: usize = 512;
/// Of the renderer's build; their names change with their content.
const FILE_FOLDERS: [&str; 3] = ["assets", "fonts", "images"];

#[derive(Debug, PartialEq, Eq)]
pub enum Address {
    /// Made by the renderer, under this very path.
    Answer,
    Elsewhere(Redirect),
    /// Never an address of ours.
    Nowhere,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Redirect {
    pub status: StatusCode,
    pub location: String,
    /// Where it leads depends on the browser's languages.
    pub by_language: bool,
}

pub fn read(path: &str, query: Option<&str>, headers: &HeaderMap) -> Address {
    let Some(own) = OwnPath::parse(path).filter(|_| path.len() <= LONGEST_BYTES) else {
        return Address::Nowhere;
    };
    let rest = path.strip_prefix('/').unwrap_or(path);
    let (first, after) = rest.split_once('/').unwrap_or((rest, ""));
    if first.parse::<Locale>().is_ok() {
        return page(own, query);
    }
    if is_file(first, rest) {
        return Address::Answer;
    }
    if looks_like_locale(first) {
        let locale = locale::ours(first).unwrap_or_default();
        return temporary(&format!("/{locale}/{after}"), query);
    }
    let locale = locale::preferred(headers);
    match temporary(&format!("/{locale}/{rest}"), query) {
        Address::Elsewhere(redirect) => Address::Elsewhere(Redirect {
            by_language: true,
            ..redirect
        }),
        other => other,
    }
}

fn page(own: OwnPath, query: Option<&str>) -> Address {
    let last = own.as_str().rsplit('/').next().unwrap_or_default();
    if last.is_empty() || last.contains('.') {
        return Address::Answer;
    }
    Address::Elsewhere(Redirect {
        status: StatusCode::PERMANENT_REDIRECT,
        location: own.with_slash().location(query),
        by_language: false,
    })
}

fn temporary(path: &str, query: Option<&str>) -> Address {
    let Some(own) = OwnPath::parse(path) else {
        return Address::Nowhere;
    };
    Address::Elsewhere(Redirect {
        status: StatusCode::TEMPORARY_REDIRECT,
        location: own.with_slash().location(query),
        by_language: false,
    })
}

fn is_file(first: &str, rest: &str) -> bool {
    FILE_FOLDERS.contains(&first) || rest.rsplit('/').next().is_some_and(|last| last.contains('.'))
}

/// `xx`, `EN`, `pt-BR`, `zh-Hant`.
fn looks_like_locale(segment: &str) -> bool {
    let mut parts = segment.split('-');
    let letters = |part: &str| part.bytes().all(|byte| byte.is_ascii_alphabetic());
    parts
        .next()
        .is_some_and(|language| language.len() == 2 && letters(language))
        && parts.all(|part| (2..=4).contains(&part.len()) && letters(part))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::ACCEPT_LANGUAGE;

    use super::*;

    fn from(languages: &'static str, path: &str, query: Option<&str>) -> Address {
        let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static(languages))]);
        read(path, query, &headers)
    }

    fn leads(path: &str, query: Option<&str>, status: u16, location: &str) {
        match from("tr", path, query) {
            Address::Elsewhere(redirect) => {
                assert_eq!(
                    (redirect.status.as_u16(), redirect.location.as_str()),
                    (status, location),
                    "{path}"
                );
            }
            other => panic!("{path} is {other:?}"),
        }
    }

    #[test]
    fn pages_and_files_are_answered() {
        for path in [
            "/en/",
            "/tr/payment/annual/",
            "/ar/pricing.data",
            "/assets/a",
            "/favicon.svg",
            "/robots.txt",
            "/en.data",
        ] {
            assert_eq!(from("", path, None), Address::Answer, "{path}");
        }
    }

    #[test]
    fn missing_slash_is_added_for_ever_and_the_query_kept() {
        leads("/en", None, 308, "/en/");
        leads(
            "/en/pricing",
            Some("utm_source=a&b=%20c"),
            308,
            "/en/pricing/?utm_source=a&b=%20c",
        );
    }

    #[test]
    fn unknown_locale_becomes_english_and_a_known_language_ours() {
        leads("/xx/pricing/", None, 307, "/en/pricing/");
        leads("/xx", Some("a=b"), 307, "/en/?a=b");
        leads("/EN/pricing", None, 307, "/en/pricing/");
        leads("/pt-BR/pricing/", None, 307, "/pt/pricing/");
        leads("/zh-Hant/", None, 307, "/en/");
    }

    #[test]
    fn address_without_locale_leads_to_the_browsers_language() {
        leads("/", None, 307, "/tr/");
        leads(
            "/success/newyeargift/",
            Some("paymentMethod=yookassa"),
            307,
            "/tr/success/newyeargift/?paymentMethod=yookassa",
        );
        let Address::Elsewhere(redirect) = from("ar", "/", None) else {
            panic!("no redirect")
        };
        assert!(redirect.by_language);
        assert_eq!(redirect.location, "/ar/");
    }

    #[test]
    fn tricks_lead_nowhere() {
        for path in [
            "//evil.example",
            "/\\evil.example",
            "/en//evil.example",
            "/./\\evil",
            "/xx//evil.example",
            "/en/%2e%2e",
        ] {
            assert_eq!(from("", path, None), Address::Nowhere, "{path}");
        }
        assert_eq!(
            from("", &format!("/en/{}", "a".repeat(600)), None),
            Address::Nowhere
        );
    }
}
