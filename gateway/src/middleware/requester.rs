//! Decides language and country of the caller once per request; services store them on events.
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use blocks::Locale;
use http::header::{ACCEPT_LANGUAGE, REFERER};
use kit::requester::{self, Requester};

use crate::protocol::locale;
use crate::security::country;
use crate::state::AppState;

pub async fn set_requester(State(app): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let headers = request.headers();
    let lang = language(headers, app.config.site.origin());
    let country = country::decide(headers, app.config.clients.country_header.as_ref(), None);
    let requester = Requester::new(lang.map(Locale::code).unwrap_or_default(), &country);
    requester::scope(requester, next.run(request)).await
}

/// By the page the call comes from, else as the visitor chose, else as the browser prefers.
fn language(headers: &HeaderMap, origin: &str) -> Option<Locale> {
    let by_browser = || {
        headers
            .contains_key(ACCEPT_LANGUAGE)
            .then(|| locale::preferred(headers))
    };
    of_page(headers, origin)
        .or_else(|| locale::chosen(headers))
        .or_else(by_browser)
}

fn of_page(headers: &HeaderMap, origin: &str) -> Option<Locale> {
    let path = headers.get(REFERER)?.to_str().ok()?.strip_prefix(origin)?;
    path.strip_prefix('/')?
        .split(['/', '?', '#'])
        .next()?
        .parse()
        .ok()
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn check(headers: &[(&'static str, &'static str)], expected: Option<Locale>) {
        let headers = headers
            .iter()
            .map(|(name, value)| (HeaderName::from_static(name), HeaderValue::from_static(value)))
            .collect();
        assert_eq!(
            language(&headers, "https://stillpoint.example"),
            expected,
            "{headers:?}"
        );
    }

    #[test]
    fn page_counts_more_than_the_choice_and_the_choice_more_than_the_browser() {
        let page = ("referer", "https://stillpoint.example/tr/pricing/?a=/de/");
        let choice = ("cookie", "a=b; locale=de");
        let browser = ("accept-language", "ja,en;q=0.5");
        check(&[page, choice, browser], Some(Locale::Tr));
        check(&[choice, browser], Some(Locale::De));
        check(&[browser], Some(Locale::Ja));
        check(&[], None);
    }

    #[test]
    fn pages_of_other_sites_and_paths_without_a_locale_do_not_count() {
        for referer in [
            "https://stillpoint.example.org/tr/",
            "https://other.example/tr/",
            "https://stillpoint.example/api/docs",
            "tr",
        ] {
            check(&[("referer", referer)], None);
        }
    }
}
