//! Every door of the sandbox.

use std::sync::Arc;

use axum::{
    Router,
    http::{HeaderName, Method},
    routing::{any, delete, get, post},
};
use tower_http::cors::{Any, CorsLayer};

use crate::{
    ai,
    control::{clock, faults, page, requests, webhooks},
    stripe::{browser, http as stripe},
    world::World,
};

pub fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .merge(control())
        .merge(stripe_browser())
        .merge(stripe_api())
        .merge(model())
        .with_state(world)
}

/// For whoever drives the sandbox.
fn control() -> Router<Arc<World>> {
    Router::new()
        .route("/sandbox", get(page::show))
        .route("/sandbox/", get(page::show))
        .route("/sandbox/page.js", get(page::script))
        .route("/sandbox/overview", get(page::overview))
        .route("/sandbox/clock", get(clock::read).post(clock::change))
        .route(
            "/sandbox/faults",
            get(faults::list).post(faults::add).delete(faults::clear),
        )
        .route("/sandbox/faults/{id}", delete(faults::remove))
        .route("/sandbox/requests", get(requests::list).delete(requests::clear))
        .route("/sandbox/webhooks", get(webhooks::list))
}

/// What the browser loads instead of js.stripe.com.
fn stripe_browser() -> Router<Arc<World>> {
    Router::new()
        .route("/stripe/js/stripe.js", get(browser::script))
        .route("/stripe/js/{file}", get(browser::file))
}

/// What the product calls instead of api.stripe.com.
fn stripe_api() -> Router<Arc<World>> {
    let cors = CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(Any)
        .expose_headers(["request-id", "stripe-version", "idempotent-replayed"].map(HeaderName::from_static));
    // Stripe's own libraries can be pointed at a host and a port, not at a path.
    Router::new()
        .route("/stripe/v1/{*path}", any(stripe::serve))
        .route("/v1/{*path}", any(stripe::serve))
        .layer(cors)
}

/// What the product calls instead of a provider of language models.
fn model() -> Router<Arc<World>> {
    Router::new().route("/ai/v1/chat/completions", post(ai::http::complete))
}
