//! Preview links: `/{locale}/path/?preview=<token>`.
//!
//! The token is taken out of the address at once and waits in a cookie that only this one page gets. What is shown is
//! made for this one request and never stored.
use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use chrono::{DateTime, Utc};
use http::header::{CACHE_CONTROL, LOCATION, SET_COOKIE};
use http::{HeaderValue, Method, StatusCode, Uri};
use kit::error::Kind;

use crate::pages::error_page;
use crate::pages::render::Rendered;
use crate::protocol::error::HandlerResult;
use crate::security::cookies::{PREVIEW, SessionCookie};
use crate::security::preview::{Preview, hide_from_search};
use crate::security::redirects::OwnPath;
use crate::state::AppState;

const PARAMETER: &str = "preview";

/// Whether a request may be for a draft. Cached pages must not answer it.
pub fn is_requested(uri: &Uri, headers: &HeaderMap, cookie: SessionCookie) -> bool {
    uri.query().is_some_and(is_requested_by_link) || cookie.preview(headers).is_some()
}

pub fn is_requested_by_link(query: &str) -> bool {
    token_of_link(query).is_some()
}

/// May be true without a cookie; the router checks exactly.
pub fn may_be_in_cookie(line: &[u8]) -> bool {
    line.windows(PREVIEW.len()).any(|part| part == PREVIEW.as_bytes())
}

/// In front of the pages.
pub async fn serve_drafts(State(app): State<Arc<AppState>>, request: Request, next: Next) -> Response {
    let is_read = matches!(*request.method(), Method::GET | Method::HEAD);
    if !is_read || !is_requested(request.uri(), request.headers(), app.session_cookie) {
        return next.run(request).await;
    }
    let client = app.limits.client_of(request.headers(), request.extensions());
    if let Some(token) = request.uri().query().and_then(token_of_link) {
        return open(&app, client, request.uri(), request.headers(), token).await;
    }
    let Some(token) = app.session_cookie.preview(request.headers()).map(str::to_owned) else {
        return next.run(request).await;
    };
    let path = request.uri().path().to_owned();
    match find_preview(&app, client, &token).await {
        Ok(Some(preview)) if preview.path() == path => draft(&app, &path, &token, request.headers()).await,
        Ok(Some(_)) => next.run(request).await,
        Ok(None) => {
            let mut response = next.run(request).await;
            add_cookie(&mut response, app.session_cookie.set_preview("", &path, 0));
            response
        }
        // A cookie never costs its browser the published page.
        Err(problem) if problem.failure().kind == Kind::TooMany => next.run(request).await,
        Err(problem) => problem.into_response(),
    }
}

/// The preview that a token opens. Counts wrong tokens, and refuses a client with too many of them.
async fn find_preview(app: &AppState, client: IpAddr, token: &str) -> HandlerResult<Option<Preview>> {
    let guesses = &app.limits.tokens;
    guesses.check(client)?;
    let preview = Preview::of(token, &app.clients).await?;
    if preview.is_none() {
        guesses.count_wrong(client);
    }
    Ok(preview)
}

/// The page itself comes at its own address, without the token.
async fn open(app: &AppState, client: IpAddr, uri: &Uri, headers: &HeaderMap, token: &str) -> Response {
    let preview = match find_preview(app, client, token).await {
        Ok(Some(preview)) => preview,
        // The response does not reveal whether the token is unknown, revoked or expired.
        Ok(None) => return hidden(error_page::not_found(headers)),
        Err(problem) => return hidden(problem.into_response()),
    };
    let path = preview.path();
    let query = uri.query().map(without_token).filter(|rest| !rest.is_empty());
    let location = OwnPath::parse(&path).map(|own| own.location(query.as_deref()));
    let Some(location) = location.and_then(|location| HeaderValue::try_from(location).ok()) else {
        return hidden(error_page::not_found(headers));
    };
    let mut response = hidden(StatusCode::SEE_OTHER.into_response());
    response.headers_mut().insert(LOCATION, location);
    let lives_secs = seconds_until(preview.expires_at, app.clock.now());
    add_cookie(
        &mut response,
        app.session_cookie.set_preview(token, &path, lives_secs),
    );
    response
}

async fn draft(app: &AppState, path: &str, token: &str, headers: &HeaderMap) -> Response {
    match app.pages.preview(path, token).await {
        Ok(rendered) => hidden(respond(rendered)),
        Err(_) => hidden(error_page::unavailable(path, headers)),
    }
}

fn respond(rendered: Rendered) -> Response {
    let mut response = Response::new(Body::from(rendered.body));
    *response.status_mut() = rendered.status;
    *response.headers_mut() = rendered.headers;
    response
}

fn hidden(mut response: Response) -> Response {
    let headers = response.headers_mut();
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("no-store"));
    hide_from_search(headers);
    response
}

fn token_of_link(query: &str) -> Option<&str> {
    query
        .split('&')
        .find_map(|pair| pair.strip_prefix(PARAMETER)?.strip_prefix('='))
}

fn without_token(query: &str) -> String {
    let rest: Vec<&str> = query
        .split('&')
        .filter(|pair| token_of_link(pair).is_none())
        .collect();
    rest.join("&")
}

fn add_cookie(response: &mut Response, cookie: Option<HeaderValue>) {
    if let Some(cookie) = cookie {
        response.headers_mut().append(SET_COOKIE, cookie);
    }
}

fn seconds_until(end: DateTime<Utc>, now: DateTime<Utc>) -> i64 {
    (end - now).num_seconds().max(0)
}

#[cfg(test)]
mod tests {
    use http::header::COOKIE as COOKIE_HEADER;

    use super::*;

    #[test]
    fn preview_link_is_distinguished_from_other_queries() {
        assert_eq!(token_of_link("utm_source=a&preview=abc&x=1"), Some("abc"));
        for query in ["", "preview", "previews=abc", "xpreview=abc", "a=preview=b"] {
            assert_eq!(token_of_link(query), None, "{query}");
        }
        assert_eq!(without_token("utm_source=a&preview=abc&x=1"), "utm_source=a&x=1");
        assert_eq!(without_token("preview=abc"), "");
    }

    #[test]
    fn cookie_or_link_ask_for_a_draft() {
        let with =
            |cookie: &'static str| HeaderMap::from_iter([(COOKIE_HEADER, HeaderValue::from_static(cookie))]);
        let page = Uri::from_static("/en/pricing/");
        let link = Uri::from_static("/en/?preview=abc");
        let (http, https) = (SessionCookie::for_http(), SessionCookie::for_https());
        for cookie in [http, https] {
            assert!(is_requested(&link, &HeaderMap::new(), cookie));
            assert!(!is_requested(&page, &with("stillpoint_session=abc"), cookie));
            assert!(!is_requested(&page, &HeaderMap::new(), cookie));
        }
        let secure = with("a=b; __Secure-stillpoint_preview=abc");
        assert!(is_requested(&page, &with("a=b; stillpoint_preview=abc"), http));
        assert!(is_requested(&page, &secure, https));
        assert!(may_be_in_cookie(secure[COOKIE_HEADER].as_bytes()));
    }
}
