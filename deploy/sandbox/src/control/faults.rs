//! `/sandbox/faults`: the script of misfortunes.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::{Deserialize, Serialize};

use super::problem::Problem;
use crate::{
    faults::{Fault, Scripted},
    world::World,
};

pub async fn list(State(world): State<Arc<World>>) -> Json<Vec<Scripted>> {
    Json(world.faults.list())
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

pub async fn add(State(world): State<Arc<World>>, Json(given): Json<OneOrMany>) -> (StatusCode, Json<Added>) {
    let faults = match given {
        OneOrMany::One(fault) => vec![fault],
        OneOrMany::Many(faults) => faults,
    };
    let ids = faults.into_iter().map(|fault| world.faults.add(fault)).collect();
    (StatusCode::CREATED, Json(Added { ids }))
}

pub async fn remove(State(world): State<Arc<World>>, Path(id): Path<u64>) -> Result<StatusCode, Problem> {
    if world.faults.remove(id) {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Problem::new(
        StatusCode::NOT_FOUND,
        format!("there is no fault {id}"),
    ))
}

pub async fn clear(State(world): State<Arc<World>>) -> StatusCode {
    world.faults.clear();
    StatusCode::NO_CONTENT
}
