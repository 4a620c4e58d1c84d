//! HTTP for browsers and tests: the script that defines `window.Stripe`, the frames it opens, and the test controls.
//!
//! The script runs in the product's page as a classic script, as Stripe's does. The frames are pages of the sandbox, so that a
//! card number never reaches the product's code.

use std::sync::Arc;

use axum::{
    Router,
    extract::Path,
    http::{HeaderName, StatusCode},
    response::{IntoResponse, Response},
    routing::{any, get, post},
};

use super::{provider::Stripe, test_controls};
use crate::engine::http::{
    assets::{CSS, HTML, JAVASCRIPT, allow_any_origin, respond},
    call,
};

/// Fonts and styles may have any origin; all other content is the sandbox's.
const FRAME_POLICY: &str = "default-src 'none'; img-src data:; script-src 'self'; connect-src 'self'; style-src * 'unsafe-inline'; font-src * data:; base-uri 'none'; form-action 'none'";

/// One closure, from several files.
const SCRIPT: &str = concat!(
    "(() => {\n\"use strict\";\n",
    include_str!("browser/api.js"),
    include_str!("browser/emitter.js"),
    include_str!("browser/element.js"),
    include_str!("browser/elements.js"),
    include_str!("browser/dialog.js"),
    include_str!("browser/challenge.js"),
    include_str!("browser/wallet.js"),
    include_str!("browser/intents.js"),
    include_str!("browser/stripe.js"),
    "})();\n",
);

pub fn routes(simulator: Arc<Stripe>) -> Router {
    let cors = allow_any_origin()
        .expose_headers(["request-id", "stripe-version", "idempotent-replayed"].map(HeaderName::from_static));
    // Stripe's own libraries take a host and a port as base, and no path.
    Router::new()
        .route("/stripe/v1/{*path}", any(call::serve::<Stripe>))
        .route("/v1/{*path}", any(call::serve::<Stripe>))
        .layer(cors)
        .route("/stripe/js/stripe.js", get(script))
        .route("/stripe/js/{file}", get(file))
        .route(
            "/sandbox/stripe/payment_methods/{id}",
            post(test_controls::set_decline),
        )
        .route("/sandbox/stripe/disputes/{charge}", post(test_controls::dispute))
        .with_state(simulator)
}

async fn script() -> Response {
    framed(JAVASCRIPT, SCRIPT)
}

async fn file(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "element.html" => framed(HTML, include_str!("browser/frame/element.html")),
        "element.css" => framed(CSS, include_str!("browser/frame/element.css")),
        "element.js" => framed(JAVASCRIPT, include_str!("browser/frame/element.js")),
        "fields.js" => framed(JAVASCRIPT, include_str!("browser/frame/fields.js")),
        "messages.js" => framed(JAVASCRIPT, include_str!("browser/frame/messages.js")),
        "challenge.html" => framed(HTML, include_str!("browser/frame/challenge.html")),
        "dialog.css" => framed(CSS, include_str!("browser/frame/dialog.css")),
        "challenge.js" => framed(JAVASCRIPT, include_str!("browser/frame/challenge.js")),
        "wallet.html" => framed(HTML, include_str!("browser/frame/wallet.html")),
        "wallet.js" => framed(JAVASCRIPT, include_str!("browser/frame/wallet.js")),
        "device.js" => framed(JAVASCRIPT, include_str!("browser/frame/device.js")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

fn framed(content_type: &'static str, content: &'static str) -> Response {
    respond(FRAME_POLICY, content_type, content)
}
