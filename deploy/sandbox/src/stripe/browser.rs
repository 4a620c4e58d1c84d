//! The browser's side of Stripe: the script that defines `window.Stripe` and the frames it opens.
//!
//! The script runs in the shop's page and is classic, because that is how pages load Stripe; the frames are pages of
//! the sandbox, so that a card number never reaches the shop's own code.

use axum::{
    extract::Path,
    http::StatusCode,
    response::{IntoResponse, Response},
};

use crate::assets::{CSS, HTML, JAVASCRIPT, served};

/// Fonts and styles may come from wherever the shop names them; everything else from the sandbox.
const FRAME_POLICY: &str = "default-src 'none'; img-src data:; script-src 'self'; connect-src 'self'; style-src * 'unsafe-inline'; font-src * data:; base-uri 'none'; form-action 'none'";

/// One closure made of readable parts.
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

pub async fn script() -> Response {
    framed(JAVASCRIPT, SCRIPT)
}

pub async fn file(Path(name): Path<String>) -> Response {
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
    served(FRAME_POLICY, content_type, content)
}
