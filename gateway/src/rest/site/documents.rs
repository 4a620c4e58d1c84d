//! The descriptions of this API and of the event stream.
use std::sync::Arc;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use utoipa::OpenApi;

use crate::protocol::error::{EnvelopeError, PaymentError, ProblemBody};
use crate::rest::site::redirects::RedirectParameter;
use crate::state::AppState;

#[derive(OpenApi)]
#[openapi(
    info(
        title = "Stillpoint",
        description = "Payment calls answer `{status, data, code, message}`, with HTTP 200 for refusals of the business; \
                       samples, the BIN check and survey payments answer `{data, error, error_code}`; everything else answers RFC 9457 problem+json with a stable `code`.",
    ),
    components(schemas(ProblemBody, PaymentError, EnvelopeError, RedirectParameter)),
    tags(
        (name = "auth", description = "Accounts and sessions"),
        (name = "checkout", description = "Campaigns, subscriptions and their payment"),
        (name = "sessions", description = "Texts that an AI writes"),
        (name = "analytics", description = "What happens on the site"),
        (name = "content", description = "What pages are made of; the rest of it is at `/graphql`"),
        (name = "country", description = "Where the visitor is"),
        (name = "meta", description = "This document"),
    )
)]
pub struct ApiDoc;

/// `OpenAPI` 3.1 of everything under `/api`.
#[utoipa::path(get, path = "/api/openapi.json", tag = "meta", responses((status = 200, content_type = "application/json")))]
pub async fn openapi(State(app): State<Arc<AppState>>) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "public, max-age=300"),
    ];
    (headers, app.documents.openapi.clone()).into_response()
}

/// The same for people.
#[utoipa::path(get, path = "/api/docs", tag = "meta", responses((status = 200, content_type = "text/html")))]
pub async fn docs(State(app): State<Arc<AppState>>) -> Response {
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8"),
        (CACHE_CONTROL, "public, max-age=300"),
        (
            CONTENT_SECURITY_POLICY,
            "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'",
        ),
    ];
    (headers, app.documents.docs_page.clone()).into_response()
}

/// `AsyncAPI` 3 of the event stream.
#[utoipa::path(get, path = "/api/asyncapi.json", tag = "meta", responses((status = 200, content_type = "application/json")))]
pub async fn asyncapi(State(app): State<Arc<AppState>>) -> Response {
    let headers = [
        (CONTENT_TYPE, "application/json"),
        (CACHE_CONTROL, "public, max-age=300"),
    ];
    (headers, app.documents.asyncapi.clone()).into_response()
}
