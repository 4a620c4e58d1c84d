//! Every door of the sandbox.

use std::sync::Arc;

use axum::{
    Router,
    http::{HeaderName, Method},
    routing::{any, delete, get, post},
};
use tower_http::cors::{Any, CorsLayer};

use crate::{
    ai, assets,
    control::{clock, faults, page, requests, webhooks},
    destinations,
    mail::http as mail,
    members_app,
    paypal::browser as paypal,
    platron::browser as platron,
    social::{browser as windows, http as social},
    stripe::{browser, fate, http as stripe},
    world::World,
    yookassa::browser as yookassa,
};

pub fn router(world: Arc<World>) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .merge(control())
        .merge(stripe_browser())
        .merge(stripe_api())
        .merge(paypal_doors())
        .merge(yookassa_doors())
        .merge(platron_doors())
        .merge(model())
        .merge(inbox())
        .merge(members_app())
        .merge(outside_sites())
        .merge(sign_in())
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
        .route("/sandbox/windows/{file}", get(assets::of_all_windows))
        .route("/sandbox/requests", get(requests::list).delete(requests::clear))
        .route("/sandbox/webhooks", get(webhooks::list))
}

/// What the browser loads instead of js.stripe.com.
fn stripe_browser() -> Router<Arc<World>> {
    Router::new()
        .route("/stripe/js/stripe.js", get(browser::script))
        .route("/stripe/js/{file}", get(browser::file))
        .route("/sandbox/stripe/payment_methods/{id}", post(fate::set_refusal))
        .route("/sandbox/stripe/disputes/{charge}", post(fate::dispute))
}

/// What the product calls instead of api.stripe.com.
fn stripe_api() -> Router<Arc<World>> {
    let cors = from_any_page()
        .expose_headers(["request-id", "stripe-version", "idempotent-replayed"].map(HeaderName::from_static));
    // Stripe's own libraries can be pointed at a host and a port, not at a path.
    Router::new()
        .route("/stripe/v1/{*path}", any(stripe::serve))
        .route("/v1/{*path}", any(stripe::serve))
        .layer(cors)
}

/// What the product and its pages call instead of PayPal.
fn paypal_doors() -> Router<Arc<World>> {
    Router::new()
        .route("/paypal/v1/{*path}", any(paypal::api))
        .route("/paypal/v2/{*path}", any(paypal::api))
        .layer(from_any_page())
        .route("/paypal/sdk/js", get(paypal::sdk))
        .route(
            "/paypal/webapps/billing/subscriptions",
            get(paypal::approval_page),
        )
        .route("/sandbox/paypal/{part}", get(paypal::part))
        .route(
            "/sandbox/paypal/approvals/{asked}",
            get(paypal::waiting).post(paypal::decide),
        )
        .route("/sandbox/paypal/buyers/{id}", post(paypal::hand_over))
        .route("/sandbox/paypal/reversals/{sale}", post(paypal::reverse))
}

/// What the product and its pages call instead of YooKassa.
fn yookassa_doors() -> Router<Arc<World>> {
    Router::new()
        .route("/yookassa/v3/{*path}", any(yookassa::api))
        .route(
            "/yookassa/checkout-widget/v1/checkout-widget.js",
            get(yookassa::widget),
        )
        .route("/yookassa/checkout", get(yookassa::checkout_page))
        .route(
            "/yookassa/api-pages/v2/payment-confirm/epl",
            get(yookassa::checkout_page),
        )
        .route("/sandbox/yookassa/{part}", get(yookassa::part))
        .route(
            "/sandbox/yookassa/payments/{asked}",
            get(yookassa::waiting).post(yookassa::act),
        )
        .route("/sandbox/yookassa/methods/{id}", post(yookassa::set_refusal))
}

/// What the product calls, and buyers open, instead of Platron.
fn platron_doors() -> Router<Arc<World>> {
    Router::new()
        .route("/platron/payment_params.php", get(platron::payment_page))
        .route("/platron/{script}", any(platron::script))
        .route("/sandbox/platron/{part}", get(platron::part))
        .route(
            "/sandbox/platron/payments/{customer}",
            get(platron::waiting).post(platron::act),
        )
        .route("/sandbox/platron/profiles/{id}", post(platron::set_refusal))
}

/// A shop's page is of another origin.
fn from_any_page() -> CorsLayer {
    CorsLayer::new()
        .allow_origin(Any)
        .allow_methods([Method::GET, Method::POST, Method::DELETE])
        .allow_headers(Any)
}

/// What the product calls instead of a provider of language models.
fn model() -> Router<Arc<World>> {
    Router::new().route("/ai/v1/chat/completions", post(ai::http::complete))
}

/// Where the product hands its members over to.
fn members_app() -> Router<Arc<World>> {
    Router::new().route("/app/autologin", post(members_app::autologin))
}

/// Sites that the product links or redirects to.
fn outside_sites() -> Router<Arc<World>> {
    Router::new()
        .route("/outside/analytics.js", get(destinations::analytics_script))
        .route("/outside/{*path}", get(destinations::arrive))
}

/// What the product mailed.
fn inbox() -> Router<Arc<World>> {
    Router::new()
        .route("/sandbox/inbox/", get(mail::page))
        .route("/sandbox/inbox/inbox.js", get(mail::script))
        .route("/sandbox/mails", get(mail::list).delete(mail::clear))
        .route("/sandbox/mails/{id}/html", get(mail::html))
}

/// What pages load, and windows open, instead of Apple's, Google's and Facebook's; and what servers ask them.
fn sign_in() -> Router<Arc<World>> {
    let from_anywhere = CorsLayer::new().allow_origin(Any).allow_methods([Method::GET]);
    Router::new()
        .route("/facebook/{at}/me", get(social::me))
        .layer(from_anywhere)
        .route("/facebook/{at}/debug_token", get(social::debug_token))
        .route("/facebook/{at}/sdk.js", get(windows::facebook))
        .route("/facebook/{at}/dialog/oauth", get(windows::window))
        .route("/apple/auth/keys", get(social::apple_keys))
        .route("/apple/appleid.auth.js", get(windows::apple))
        .route("/apple/auth/authorize", get(windows::window))
        .route("/google/oauth2/v3/certs", get(social::google_keys))
        .route("/google/gsi/client", get(windows::google))
        .route("/google/gsi/select", get(windows::window))
        .route("/sandbox/social", delete(social::forget))
        .route("/sandbox/social/{part}", get(windows::part))
        .route("/sandbox/social/people", get(social::people))
        .route("/sandbox/social/cases", get(social::cases))
        .route("/sandbox/social/case", post(social::arm))
        .route("/sandbox/social/keys/rotate", post(social::rotate))
        .route("/sandbox/social/sign-ins", post(social::sign_in))
}
