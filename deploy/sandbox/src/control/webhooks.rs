//! `/sandbox/webhooks`: open deliveries and the latest closed ones.

use std::sync::Arc;

use axum::{Json, extract::State};

use crate::{engine::webhooks::queue::Delivery, simulators::Simulators};

pub async fn list(State(simulators): State<Arc<Simulators>>) -> Json<Vec<Delivery>> {
    Json(simulators.deliveries())
}
