//! The browser's side: the providers' scripts with their own global names, and the window they open.

use axum::{
    extract::Path,
    http::StatusCode,
    response::{IntoResponse, Response},
};

use crate::assets::{HTML, JAVASCRIPT, of_window, window_script};

pub async fn apple() -> Response {
    of_window(JAVASCRIPT, window_script!("browser/apple.js"))
}

pub async fn google() -> Response {
    of_window(JAVASCRIPT, window_script!("browser/google.js"))
}

pub async fn facebook() -> Response {
    of_window(JAVASCRIPT, window_script!("browser/facebook.js"))
}

/// One window for all three: its address says whose it is.
pub async fn window() -> Response {
    of_window(HTML, include_str!("browser/dialog.html"))
}

pub async fn part(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "dialog.js" => of_window(JAVASCRIPT, include_str!("browser/dialog.js")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}
