//! Refuses writes that another site makes a browser send.
//!
//! Every browser marks them with `Sec-Fetch-Site` or `Origin`; a caller that sends neither is no browser and carries no cookie unknowingly.
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::Response;
use http::header::ORIGIN;
use kit::error::{ErrorCode, Kind};

use crate::protocol::error::{HandlerResult, Problem};
use crate::state::AppState;

pub async fn refuse_cross_site_writes(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> HandlerResult<Response> {
    if request.method().is_safe() || is_own(request.headers(), app.config.site.origin()) {
        return Ok(next.run(request).await);
    }
    Err(Problem::new(
        Kind::Forbidden,
        ErrorCode::CrossSite,
        "This call can only be made from our own pages.",
    ))
}

fn is_own(headers: &HeaderMap, own_origin: &str) -> bool {
    if let Some(site) = headers.get("sec-fetch-site") {
        return site == "same-origin" || site == "none";
    }
    headers.get(ORIGIN).is_none_or(|origin| origin == own_origin)
}

#[cfg(test)]
mod tests {
    use http::{HeaderName, HeaderValue};

    use super::*;

    fn check(headers: &[(&'static str, &'static str)], own: bool) {
        let map = headers
            .iter()
            .map(|(k, v)| (HeaderName::from_static(k), HeaderValue::from_static(v)))
            .collect();
        assert_eq!(is_own(&map, "https://stillpoint.example"), own, "{headers:?}");
    }

    #[test]
    fn browsers_word_on_the_site_decides_before_the_origin() {
        check(
            &[
                ("sec-fetch-site", "same-origin"),
                ("origin", "http://127.0.0.1:8080"),
            ],
            true,
        );
        check(&[("sec-fetch-site", "none")], true);
        check(
            &[
                ("sec-fetch-site", "cross-site"),
                ("origin", "https://stillpoint.example"),
            ],
            false,
        );
        check(&[("sec-fetch-site", "same-site")], false);
    }

    #[test]
    fn origin_must_be_ours_where_it_is_all_there_is() {
        check(&[("origin", "https://stillpoint.example")], true);
        check(&[("origin", "https://stillpoint.example.evil.example")], false);
        check(&[("origin", "http://stillpoint.example")], false);
        check(&[("origin", "null")], false);
        check(&[], true);
    }
}
