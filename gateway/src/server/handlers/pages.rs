//! Pages over HTTP, for every request that the cache could not answer at once.
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use http::header::{ALLOW, CACHE_CONTROL, CONTENT_TYPE, LOCATION, VARY};
use http::{HeaderValue, Method, Uri};
use kit::error::{ErrorCode, Kind};

use crate::pages::error_page;
use crate::pages::security_txt;
use crate::pages::url;
use crate::pages::url::{ParsedUrl, Redirect};
use crate::protocol::error::Problem;
use crate::state::AppState;

const API_PREFIXES: [&str; 3] = ["/api", "/webhooks", "/graphql"];

/// Everything that no route of the table takes.
pub async fn page(State(app): State<Arc<AppState>>, request: Request) -> Response {
    let path = request.uri().path();
    let below = |prefix: &str| {
        path.strip_prefix(prefix)
            .is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
    };
    if API_PREFIXES.into_iter().any(below) {
        return Problem::not_found().into_response();
    }
    if !matches!(*request.method(), Method::GET | Method::HEAD) {
        return not_allowed();
    }
    match url::parse(path, request.uri().query(), request.headers()) {
        ParsedUrl::Found => answer(&app, request.method(), request.uri(), request.headers()).await,
        ParsedUrl::Redirect(redirect) => redirected(redirect),
        ParsedUrl::NotFound => error_page::not_found(request.headers()),
    }
}

pub async fn robots(State(app): State<Arc<AppState>>) -> Response {
    let origin = app.config.site.origin();
    let text =
        format!("User-agent: *\nDisallow: /api/\nDisallow: /graphql\n\nSitemap: {origin}/sitemap.xml\n");
    plain_text(text)
}

pub async fn security_txt(State(app): State<Arc<AppState>>) -> Response {
    let config = &app.config;
    plain_text(security_txt::text(
        &config.security_contacts,
        &config.site,
        app.clock.now(),
    ))
}

fn plain_text(text: String) -> Response {
    let headers = [
        (
            CONTENT_TYPE,
            HeaderValue::from_static("text/plain; charset=utf-8"),
        ),
        (CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600")),
    ];
    (headers, text).into_response()
}

async fn answer(app: &AppState, method: &Method, uri: &Uri, headers: &HeaderMap) -> Response {
    match app.pages.get(uri.path()).await {
        Ok((entry, outcome)) => entry.respond(method, headers, outcome).map(Body::new),
        Err(_) => error_page::unavailable(uri.path(), headers),
    }
}

fn redirected(redirect: Redirect) -> Response {
    let Ok(location) = HeaderValue::try_from(redirect.location) else {
        return Problem::not_found().into_response();
    };
    let mut response = redirect.status.into_response();
    let headers = response.headers_mut();
    headers.insert(LOCATION, location);
    if redirect.varies_by_language {
        headers.insert(VARY, HeaderValue::from_static("accept-language, cookie"));
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("private, no-cache"));
    } else {
        headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    }
    response
}

fn not_allowed() -> Response {
    let problem = Problem::new(
        Kind::Invalid,
        ErrorCode::MethodNotAllowed,
        "Pages can only be read.",
    );
    let mut response = problem.into_response();
    response
        .headers_mut()
        .insert(ALLOW, HeaderValue::from_static("GET, HEAD"));
    response
}
