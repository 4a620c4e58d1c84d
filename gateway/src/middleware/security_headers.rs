//! Adds the security headers to every response that was not stored with them.
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http::HeaderValue;
use http::header::CONTENT_SECURITY_POLICY;

use crate::security::headers::{API_POLICY, CACHE_STATUS};
use crate::state::AppState;

/// For everything but stored pages, which were given their headers when they were stored.
pub async fn add_security_headers(
    State(app): State<Arc<AppState>>,
    request: Request,
    next: Next,
) -> Response {
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    if headers.contains_key(CACHE_STATUS) {
        return response;
    }
    app.security_headers.write(headers);
    headers
        .entry(CONTENT_SECURITY_POLICY)
        .or_insert(HeaderValue::from_static(API_POLICY));
    response
}
