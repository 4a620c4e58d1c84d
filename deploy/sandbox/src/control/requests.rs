//! `/sandbox/requests`: what the product sent.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
};
use serde::Deserialize;

use crate::{faults::glob, journal::Logged, world::World};

const LIMIT_DEFAULT: usize = 100;

#[derive(Deserialize)]
pub struct Filter {
    method: Option<String>,
    path: Option<String>,
    limit: Option<usize>,
}

/// Newest first.
pub async fn list(State(world): State<Arc<World>>, Query(filter): Query<Filter>) -> Json<Vec<Logged>> {
    let all = world.journal.list();
    let chosen = all.into_iter().rev().filter(|logged| {
        filter
            .method
            .as_ref()
            .is_none_or(|method| logged.method.eq_ignore_ascii_case(method))
            && filter
                .path
                .as_ref()
                .is_none_or(|pattern| glob(pattern, &logged.path))
    });
    Json(chosen.take(filter.limit.unwrap_or(LIMIT_DEFAULT)).collect())
}

pub async fn clear(State(world): State<Arc<World>>) -> StatusCode {
    world.journal.clear();
    StatusCode::NO_CONTENT
}
