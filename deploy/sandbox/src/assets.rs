//! The files a page loads from the sandbox, and the pages it opens there.

use axum::{
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

pub const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
pub const HTML: &str = "text/html; charset=utf-8";
pub const CSS: &str = "text/css; charset=utf-8";

/// A window loads nothing but its own parts. It must keep its opener, so it says nothing of that.
pub const WINDOW_POLICY: &str = "default-src 'none'; img-src data:; script-src 'self'; connect-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'";

/// A script for the shop's page: one closure over the same way of opening a window.
macro_rules! window_script {
    ($file:literal) => {
        concat!(
            "(() => {\n\"use strict\";\n",
            include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/browser/window.js")),
            include_str!($file),
            "})();\n"
        )
    };
}
pub(crate) use window_script;

pub fn served(policy: &'static str, content_type: &'static str, content: &'static str) -> Response {
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

/// A file of a window.
pub fn of_window(content_type: &'static str, content: &'static str) -> Response {
    served(WINDOW_POLICY, content_type, content)
}

/// What all windows share.
pub async fn of_all_windows(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "page.js" => of_window(JAVASCRIPT, include_str!("browser/page.js")),
        "window.css" => of_window(CSS, include_str!("browser/window.css")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
