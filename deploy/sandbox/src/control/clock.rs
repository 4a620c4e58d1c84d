//! `/sandbox/clock`: read the virtual time, move it forward.

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use crate::{
    engine::{http::problem::Problem, virtual_clock::ClockError},
    simulators::Simulators,
};

#[derive(Serialize)]
pub struct Reading {
    now: DateTime<Utc>,
    unix: i64,
    offset_ms: i64,
}

fn reading(simulators: &Simulators) -> Reading {
    let now = simulators.environment.clock.now();
    Reading {
        now,
        unix: now.timestamp(),
        offset_ms: simulators.environment.clock.offset().num_milliseconds(),
    }
}

pub async fn read(State(simulators): State<Arc<Simulators>>) -> Json<Reading> {
    Json(reading(&simulators))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    advance_secs: Option<i64>,
    set: Option<DateTime<Utc>>,
}

pub async fn change(
    State(simulators): State<Arc<Simulators>>,
    Json(change): Json<Change>,
) -> Result<Json<Reading>, Problem> {
    let by = match (change.advance_secs, change.set) {
        (Some(secs), None) => {
            TimeDelta::try_seconds(secs).ok_or_else(|| Problem::bad("advance_secs is out of range"))?
        }
        (None, Some(at)) => at - simulators.environment.clock.now(),
        _ => return Err(Problem::bad("give either advance_secs or set")),
    };
    simulators.environment.clock.advance(by).await.map_err(|error| {
        let status = match error {
            ClockError::NotPublished(_) => StatusCode::SERVICE_UNAVAILABLE,
            ClockError::Backwards { .. } | ClockError::TooFar => StatusCode::BAD_REQUEST,
        };
        Problem::new(status, error.to_string())
    })?;
    simulators.catch_up();
    Ok(Json(reading(&simulators)))
}
