//! The control API of the sandbox: `/sandbox/*`.

mod clock;
mod faults;
mod overview;
mod requests;
mod webhooks;

use std::sync::Arc;

use axum::{
    Router,
    routing::{delete, get},
};

use crate::simulators::Simulators;

pub fn routes(simulators: Arc<Simulators>) -> Router {
    Router::new()
        .route("/sandbox", get(overview::page))
        .route("/sandbox/", get(overview::page))
        .route("/sandbox/page.js", get(overview::script))
        .route("/sandbox/overview", get(overview::overview))
        .route("/sandbox/clock", get(clock::read).post(clock::change))
        .route(
            "/sandbox/faults",
            get(faults::list).post(faults::add).delete(faults::clear),
        )
        .route("/sandbox/faults/{id}", delete(faults::remove))
        .route("/sandbox/requests", get(requests::list).delete(requests::clear))
        .route("/sandbox/webhooks", get(webhooks::list))
        .with_state(simulators)
}
