//! The route table: each module's routes.

use std::sync::Arc;

use axum::{Router, routing::get};

use crate::{
    ai, control, engine::http::assets, external_sites, mail, paypal, platron, simulators::Simulators, social,
    stripe, yookassa,
};

pub fn router(simulators: &Arc<Simulators>) -> Router {
    Router::new()
        .route("/healthz", get(|| async { "ok" }))
        .route("/sandbox/windows/{file}", get(assets::shared_window_file))
        .merge(control::routes(simulators.clone()))
        .merge(stripe::browser::routes(simulators.stripe.clone()))
        .merge(paypal::browser::routes(simulators.paypal.clone()))
        .merge(yookassa::browser::routes(simulators.yookassa.clone()))
        .merge(platron::browser::routes(simulators.platron.clone()))
        .merge(ai::api::routes(simulators.model.clone()))
        .merge(mail::api::routes(simulators.inbox.clone()))
        .merge(social::browser::routes(simulators.social.clone()))
        .merge(external_sites::routes())
}
