//! Which country the visitor is in.
use std::sync::Arc;

use axum::Json;
use axum::extract::State;
use axum::http::HeaderMap;
use axum::response::{IntoResponse, Response};
use http::header::CACHE_CONTROL;
use serde::Serialize;
use utoipa::ToSchema;

use crate::security::country;
use crate::state::AppState;

#[derive(Serialize, ToSchema)]
pub struct Country {
    /// ISO 3166 alpha-2.
    #[serde(rename = "countryCode")]
    #[schema(example = "TR")]
    country_code: String,
}

/// By the proxy in front, else by the browser's language, else US.
#[utoipa::path(get, path = "/api/country", tag = "country", responses((status = 200, body = Country)))]
pub async fn country(State(app): State<Arc<AppState>>, headers: HeaderMap) -> Response {
    let country_code = country::decide(&headers, app.config.clients.country_header.as_ref(), None);
    (
        [(CACHE_CONTROL, "private, max-age=300")],
        Json(Country { country_code }),
    )
        .into_response()
}
