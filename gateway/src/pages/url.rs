//! Parses a request path before any look-up: a page, a file, a redirect, or not found.
use axum::http::HeaderMap;
use blocks::Locale;
use http::StatusCode;

use crate::protocol::locale;
use crate::security::redirects::OwnPath;

const LONGEST_BYTES: usize = 512;
/// Of the renderer's build; their names change with their content.
const FILE_FOLDERS: [&str; 3] = ["assets", "fonts", "images"];
/// Where `YooKassa` sends buyers of gifts: specified without a locale, and meant for Russian speakers.
const GIFT_RETURN: &str = "success/newyeargift";

#[derive(Debug, PartialEq, Eq)]
pub enum ParsedUrl {
    /// Made by the renderer, under this very path.
    Found,
    Redirect(Redirect),
    /// Never an address of ours.
    NotFound,
}

#[derive(Debug, PartialEq, Eq)]
pub struct Redirect {
    pub status: StatusCode,
    pub location: String,
    /// Where it leads depends on the browser's languages, or on what the visitor chose.
    pub varies_by_language: bool,
}

pub fn parse(path: &str, query: Option<&str>, headers: &HeaderMap) -> ParsedUrl {
    let usual = canonical_path(path);
    let Some(own) = OwnPath::parse(&usual).filter(|_| path.len() <= LONGEST_BYTES) else {
        return ParsedUrl::NotFound;
    };
    let rest = usual.strip_prefix('/').unwrap_or(&usual);
    let (first, after) = rest.split_once('/').unwrap_or((rest, ""));
    if first.parse::<Locale>().is_ok() {
        return page(own, query, path);
    }
    if is_file(first, rest) {
        return ParsedUrl::Found;
    }
    if looks_like_locale(first) {
        let locale = locale::supported(first).unwrap_or_default();
        return temporary(&format!("/{locale}/{after}"), query);
    }
    let locale = match rest.trim_end_matches('/') {
        GIFT_RETURN => locale::chosen(headers).unwrap_or(Locale::Ru),
        _ => locale::negotiate(headers),
    };
    match temporary(&format!("/{locale}/{rest}"), query) {
        ParsedUrl::Redirect(redirect) => ParsedUrl::Redirect(Redirect {
            varies_by_language: true,
            ..redirect
        }),
        other => other,
    }
}

fn page(own: OwnPath, query: Option<&str>, asked: &str) -> ParsedUrl {
    let last = own.as_str().rsplit('/').next().unwrap_or_default();
    let own = if last.contains('.') { own } else { own.with_slash() };
    if own.as_str() == asked {
        return ParsedUrl::Found;
    }
    ParsedUrl::Redirect(Redirect {
        status: StatusCode::PERMANENT_REDIRECT,
        location: own.location(query),
        varies_by_language: false,
    })
}

fn temporary(path: &str, query: Option<&str>) -> ParsedUrl {
    let Some(own) = OwnPath::parse(path) else {
        return ParsedUrl::NotFound;
    };
    ParsedUrl::Redirect(Redirect {
        status: StatusCode::TEMPORARY_REDIRECT,
        location: own.with_slash().location(query),
        varies_by_language: false,
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

/// One slash where there are several, and no escape of what needs none: a page has one address, and the cache one entry of
/// it. A second slash at the very start is kept, as it means another host.
fn canonical_path(path: &str) -> String {
    let mut usual = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(next) = rest.chars().next() {
        let escaped = rest.get(..3).and_then(needless_escape);
        let (char, length) = escaped.map_or((next, next.len_utf8()), |char| (char, 3));
        rest = rest.get(length..).unwrap_or_default();
        let is_doubled = char == '/' && usual.len() > 1 && usual.ends_with('/');
        if !is_doubled {
            usual.push(char);
        }
    }
    usual
}

/// `%70` is `p`. What could change the meaning of a path stays escaped.
fn needless_escape(escape: &str) -> Option<char> {
    let byte = u8::from_str_radix(escape.strip_prefix('%')?, 16).ok()?;
    let plain = byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'~');
    plain.then(|| char::from(byte))
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;
    use http::header::{ACCEPT_LANGUAGE, COOKIE};

    use super::*;

    fn from(languages: &'static str, path: &str, query: Option<&str>) -> ParsedUrl {
        let headers = HeaderMap::from_iter([(ACCEPT_LANGUAGE, HeaderValue::from_static(languages))]);
        parse(path, query, &headers)
    }

    fn leads(path: &str, query: Option<&str>, status: u16, location: &str) {
        match from("tr", path, query) {
            ParsedUrl::Redirect(redirect) => {
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
            "/tr/blog/a%C3%A7ik/",
            "/en/offers/TEB40/",
            "/ar/pricing.data",
            "/assets/a",
            "/favicon.svg",
            "/robots.txt",
            "/en.data",
        ] {
            assert_eq!(from("", path, None), ParsedUrl::Found, "{path}");
        }
    }

    #[test]
    fn every_other_spelling_of_a_page_leads_to_it_for_ever_and_keeps_the_query() {
        leads("/en", None, 308, "/en/");
        leads(
            "/en/pricing",
            Some("utm_source=a&b=%20c"),
            308,
            "/en/pricing/?utm_source=a&b=%20c",
        );
        leads("/en//pricing/", Some("a=b"), 308, "/en/pricing/?a=b");
        leads("/en/payment///annual//", None, 308, "/en/payment/annual/");
        leads("/en/%70ricing/", Some("x=%70"), 308, "/en/pricing/?x=%70");
        leads("/%65n/pricing", None, 308, "/en/pricing/");
    }

    #[test]
    fn unknown_locale_becomes_english_and_a_known_language_ours() {
        leads("/xx/pricing/", None, 307, "/en/pricing/");
        leads("/xx", Some("a=b"), 307, "/en/?a=b");
        leads("/EN/pricing", None, 307, "/en/pricing/");
        leads("/Tr/", Some("a=b"), 307, "/tr/?a=b");
        leads("/pt-BR/pricing/", None, 307, "/pt/pricing/");
        leads("/zh-Hant/", None, 307, "/en/");
        leads("/xx//evil", None, 307, "/en/evil/");
    }

    #[test]
    fn address_without_locale_leads_to_the_browsers_language() {
        leads("/", None, 307, "/tr/");
        leads("/pricing", Some("a=b"), 307, "/tr/pricing/?a=b");
        let ParsedUrl::Redirect(redirect) = from("ar", "/", None) else {
            panic!("no redirect")
        };
        assert!(redirect.varies_by_language);
        assert_eq!(redirect.location, "/ar/");
    }

    #[test]
    fn what_the_visitor_chose_goes_before_the_browsers_language() {
        let headers = HeaderMap::from_iter([
            (ACCEPT_LANGUAGE, HeaderValue::from_static("tr")),
            (COOKIE, HeaderValue::from_static("locale=fr")),
        ]);
        let ParsedUrl::Redirect(redirect) = parse("/pricing/", None, &headers) else {
            panic!("no redirect")
        };
        assert_eq!(redirect.location, "/fr/pricing/");
    }

    #[test]
    fn return_of_a_gift_is_russian_unless_the_visitor_chose() {
        let query = Some("paymentMethod=yookassa");
        for path in ["/success/newyeargift/", "/success/newyeargift"] {
            leads(
                path,
                query,
                307,
                "/ru/success/newyeargift/?paymentMethod=yookassa",
            );
        }
        let headers = HeaderMap::from_iter([(COOKIE, HeaderValue::from_static("a=b; locale=de"))]);
        let ParsedUrl::Redirect(redirect) = parse("/success/newyeargift/", query, &headers) else {
            panic!("no redirect")
        };
        assert_eq!(
            redirect.location,
            "/de/success/newyeargift/?paymentMethod=yookassa"
        );
    }

    #[test]
    fn hostile_paths_are_not_found() {
        for path in [
            "//evil.example",
            "///evil.example",
            "/\\evil.example",
            "/./\\evil",
            "/en/%2e%2e",
            "/en/%2Fevil",
            "/en/%00",
            "/en/%7",
        ] {
            assert_eq!(from("", path, None), ParsedUrl::NotFound, "{path}");
        }
        assert_eq!(
            from("", &format!("/en/{}", "a".repeat(600)), None),
            ParsedUrl::NotFound
        );
    }
}
