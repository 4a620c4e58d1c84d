//! Static files: scripts that pages of the product load from the sandbox, and pages that the sandbox serves.

use axum::{
    extract::Path,
    http::{Method, StatusCode, header},
    response::{IntoResponse, Response},
};
use tower_http::cors::{Any, CorsLayer};

pub const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
pub const HTML: &str = "text/html; charset=utf-8";
pub const CSS: &str = "text/css; charset=utf-8";

/// A window loads its own files only. It needs its opener, so no cross-origin opener policy is set.
pub const WINDOW_POLICY: &str = "default-src 'none'; img-src data:; script-src 'self'; connect-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'";

/// A script for a page of the product: one closure that includes `window.js`, which opens windows.
macro_rules! window_script {
    ($file:literal) => {
        concat!(
            "(() => {\n\"use strict\";\n",
            include_str!(concat!(
                env!("CARGO_MANIFEST_DIR"),
                "/src/engine/http/browser/window.js"
            )),
            include_str!($file),
            "})();\n"
        )
    };
}
pub(crate) use window_script;

pub fn respond(policy: &'static str, content_type: &'static str, content: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ];
    (headers, content).into_response()
}

/// A file of a page or window of the sandbox.
pub fn window_file(content_type: &'static str, content: &'static str) -> Response {
    respond(WINDOW_POLICY, content_type, content)
}

/// Files that all windows load.
pub async fn shared_window_file(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "page.js" => window_file(JAVASCRIPT, include_str!("browser/page.js")),
        "window.css" => window_file(CSS, include_str!("browser/window.css")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// Pages of the product have another origin than the sandbox.
pub fn allow_any_origin() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(Any)
}

/// Text for HTML.
pub fn escaped(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
}
