//! Error pages that need no renderer: unavailable and not found.
mod texts;

use axum::body::Body;
use axum::http::HeaderMap;
use axum::response::Response;
use blocks::Locale;
use http::header::{CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_SECURITY_POLICY, CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};

use crate::protocol::locale;

const TEMPLATE: &str = include_str!("error_page/error_page.html");
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";
const RETRY_SECS: u64 = 5;

struct Words {
    title: &'static str,
    text: &'static str,
    action: &'static str,
}

/// For a page that cannot be made now. Its button tries the same address again.
pub fn unavailable(path: &str, headers: &HeaderMap) -> Response {
    let locale = locale_of(path, headers);
    let (title, text, action) = texts::text_of(&texts::UNAVAILABLE, locale);
    let words = Words { title, text, action };
    let mut response = page(StatusCode::SERVICE_UNAVAILABLE, locale, &words, "");
    response
        .headers_mut()
        .insert(RETRY_AFTER, HeaderValue::from(RETRY_SECS));
    response
}

/// For an address that cannot be one of ours.
pub fn not_found(headers: &HeaderMap) -> Response {
    let locale = locale::negotiate(headers);
    let (title, text, action) = texts::text_of(&texts::NOT_FOUND, locale);
    let words = Words { title, text, action };
    page(StatusCode::NOT_FOUND, locale, &words, &format!("/{locale}/"))
}

/// The page's own locale before the browser's.
fn locale_of(path: &str, headers: &HeaderMap) -> Locale {
    let first = path.split('/').nth(1).unwrap_or_default();
    first.parse().unwrap_or_else(|_| locale::negotiate(headers))
}

fn page(status: StatusCode, locale: Locale, words: &Words, href: &str) -> Response {
    let html = TEMPLATE
        .replace("{{lang}}", locale.code())
        .replace("{{dir}}", if locale.is_right_to_left() { "rtl" } else { "ltr" })
        .replace("{{title}}", words.title)
        .replace("{{text}}", words.text)
        .replace("{{href}}", href)
        .replace("{{action}}", words.action);
    let mut response = Response::new(Body::from(html));
    *response.status_mut() = status;
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CONTENT_LANGUAGE, HeaderValue::from_static(locale.code()));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    headers.insert(CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    response
}

#[cfg(test)]
mod tests {
    use http_body_util::BodyExt;

    use super::*;

    async fn text(response: Response) -> String {
        String::from_utf8(response.into_body().collect().await.unwrap().to_bytes().to_vec()).unwrap()
    }

    #[tokio::test]
    async fn error_page_is_in_the_language_of_the_page() {
        let turkish = unavailable("/tr/pricing/", &HeaderMap::new());
        assert_eq!(turkish.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert_eq!(turkish.headers()[RETRY_AFTER], "5");
        assert!(text(turkish).await.contains("Yeniden dene"));
        let arabic = text(unavailable("/ar/", &HeaderMap::new())).await;
        assert!(arabic.contains("lang=\"ar\" dir=\"rtl\""));
        assert!(
            text(unavailable("/de/", &HeaderMap::new()))
                .await
                .contains("lang=\"de\" dir=\"ltr\"")
        );
    }

    #[test]
    fn every_locale_has_words_of_its_own() {
        for table in [texts::UNAVAILABLE, texts::NOT_FOUND] {
            for locale in Locale::ALL {
                assert!(table.iter().any(|(of, _)| *of == locale), "{locale}");
            }
        }
    }

    #[tokio::test]
    async fn error_page_needs_no_other_files() {
        for response in [
            unavailable("/en/", &HeaderMap::new()),
            not_found(&HeaderMap::new()),
        ] {
            let html = text(response).await;
            assert!(
                !html.contains("{{") && !html.contains("<script") && !html.contains("src="),
                "{html}"
            );
        }
    }
}
