//! `/sandbox/faults`: fault injection.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};

use crate::{
    engine::{
        faults::{ActiveFault, Fault},
        http::problem::Problem,
    },
    simulators::Simulators,
};

pub async fn list(State(simulators): State<Arc<Simulators>>) -> Json<Vec<ActiveFault>> {
    Json(simulators.environment.faults.list())
}

#[derive(Deserialize)]
#[serde(untagged)]
pub enum OneOrMany {
    One(Fault),
    Many(Vec<Fault>),
}

#[derive(Serialize)]
pub struct Added {
    ids: Vec<u64>,
}

pub async fn add(
    State(simulators): State<Arc<Simulators>>,
    Json(given): Json<OneOrMany>,
) -> (StatusCode, Json<Added>) {
    let faults = match given {
        OneOrMany::One(fault) => vec![fault],
        OneOrMany::Many(faults) => faults,
    };
    let ids = faults
        .into_iter()
        .map(|fault| simulators.environment.faults.add(fault))
        .collect();
    (StatusCode::CREATED, Json(Added { ids }))
}

pub async fn remove(
    State(simulators): State<Arc<Simulators>>,
    Path(id): Path<u64>,
) -> Result<StatusCode, Problem> {
    if simulators.environment.faults.remove(id) {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Problem::new(
        StatusCode::NOT_FOUND,
        format!("there is no fault {id}"),
    ))
}

pub async fn clear(State(simulators): State<Arc<Simulators>>) -> StatusCode {
    simulators.environment.faults.clear();
    StatusCode::NO_CONTENT
}
