//! `/sandbox/webhooks`: what waits to be delivered and what was.

use std::sync::Arc;

use axum::{Json, extract::State};

use crate::{outbox::Delivery, world::World};

pub async fn list(State(world): State<Arc<World>>) -> Json<Vec<Delivery>> {
    Json(world.deliveries())
}
