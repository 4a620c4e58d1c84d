//! The web app manifest.
use axum::response::{IntoResponse, Response};
use http::header::{CACHE_CONTROL, CONTENT_TYPE};
use serde_json::json;

/// The design's paper, in light.
const PAPER: &str = "#fbfaf7";

pub async fn manifest() -> Response {
    let manifest = json!({
        "id": "/",
        "name": "Stillpoint",
        "short_name": "Stillpoint",
        // Leads on to the visitor's own language.
        "start_url": "/",
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER,
        "theme_color": PAPER,
        "icons": [{ "src": "/favicon.svg", "type": "image/svg+xml", "sizes": "any", "purpose": "any" }],
    });
    let headers = [
        (CONTENT_TYPE, "application/manifest+json"),
        (CACHE_CONTROL, "public, max-age=3600"),
    ];
    (headers, manifest.to_string()).into_response()
}
