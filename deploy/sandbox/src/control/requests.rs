//! `/sandbox/requests`: the product's latest requests.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Query, State},
    http::StatusCode,
};
use serde::Deserialize;

use crate::{
    engine::{faults::glob, request_log::LoggedRequest},
    simulators::Simulators,
};

const LIMIT_DEFAULT: usize = 100;

#[derive(Deserialize)]
pub struct Filter {
    method: Option<String>,
    path: Option<String>,
    limit: Option<usize>,
}

/// Newest first.
pub async fn list(
    State(simulators): State<Arc<Simulators>>,
    Query(filter): Query<Filter>,
) -> Json<Vec<LoggedRequest>> {
    let all = simulators.environment.request_log.list();
    let selected = all.into_iter().rev().filter(|request| {
        filter
            .method
            .as_ref()
            .is_none_or(|method| request.method.eq_ignore_ascii_case(method))
            && filter
                .path
                .as_ref()
                .is_none_or(|pattern| glob(pattern, &request.path))
    });
    Json(selected.take(filter.limit.unwrap_or(LIMIT_DEFAULT)).collect())
}

pub async fn clear(State(simulators): State<Arc<Simulators>>) -> StatusCode {
    simulators.environment.request_log.clear();
    StatusCode::NO_CONTENT
}
