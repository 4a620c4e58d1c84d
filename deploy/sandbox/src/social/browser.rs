//! The browser's side: the providers' scripts with their own global names, and the window they open.

use axum::{
    extract::Path,
    http::{StatusCode, header},
    response::{IntoResponse, Response},
};

const JAVASCRIPT: &str = "text/javascript; charset=utf-8";
const HTML: &str = "text/html; charset=utf-8";
const CSS: &str = "text/css; charset=utf-8";

/// The window loads nothing but its own parts. It must keep its opener, so it says nothing of that.
const WINDOW_POLICY: &str = "default-src 'none'; img-src data:; script-src 'self'; connect-src 'self'; style-src 'self'; base-uri 'none'; form-action 'none'";

/// Each script is one closure over the same way of opening a window.
macro_rules! script {
    ($file:literal) => {
        concat!(
            "(() => {\n\"use strict\";\n",
            include_str!("browser/window.js"),
            include_str!($file),
            "})();\n"
        )
    };
}

pub async fn apple() -> Response {
    served(JAVASCRIPT, script!("browser/apple.js"))
}

pub async fn google() -> Response {
    served(JAVASCRIPT, script!("browser/google.js"))
}

pub async fn facebook() -> Response {
    served(JAVASCRIPT, script!("browser/facebook.js"))
}

/// One window for all three: its address says whose it is.
pub async fn window() -> Response {
    served(HTML, include_str!("browser/dialog.html"))
}

pub async fn part(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "dialog.js" => served(JAVASCRIPT, include_str!("browser/dialog.js")),
        "dialog.css" => served(CSS, include_str!("browser/dialog.css")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn served(content_type: &'static str, content: &'static str) -> Response {
    let headers = [
        (header::CONTENT_TYPE, content_type),
        (header::CACHE_CONTROL, "no-cache"),
        (header::CONTENT_SECURITY_POLICY, WINDOW_POLICY),
        (header::REFERRER_POLICY, "no-referrer"),
        (
            header::HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin",
        ),
    ];
    (headers, content).into_response()
}
