//! `/sandbox/clock`: read the virtual time, move it forward.

use std::sync::Arc;

use axum::{Json, extract::State, http::StatusCode};
use chrono::{DateTime, TimeDelta, Utc};
use serde::{Deserialize, Serialize};

use super::problem::Problem;
use crate::{clock::ClockError, world::World};

#[derive(Serialize)]
pub struct Reading {
    now: DateTime<Utc>,
    unix: i64,
    offset_ms: i64,
}

fn reading(world: &World) -> Reading {
    let now = world.clock.now();
    Reading {
        now,
        unix: now.timestamp(),
        offset_ms: world.clock.offset().num_milliseconds(),
    }
}

pub async fn read(State(world): State<Arc<World>>) -> Json<Reading> {
    Json(reading(&world))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Change {
    advance_secs: Option<i64>,
    set: Option<DateTime<Utc>>,
}

pub async fn change(
    State(world): State<Arc<World>>,
    Json(change): Json<Change>,
) -> Result<Json<Reading>, Problem> {
    let by = match (change.advance_secs, change.set) {
        (Some(secs), None) => {
            TimeDelta::try_seconds(secs).ok_or_else(|| Problem::bad("advance_secs is out of range"))?
        }
        (None, Some(at)) => at - world.clock.now(),
        _ => return Err(Problem::bad("give either advance_secs or set")),
    };
    world.clock.advance(by).await.map_err(|error| {
        let status = match error {
            ClockError::Unwritten(_) => StatusCode::SERVICE_UNAVAILABLE,
            ClockError::Backwards { .. } | ClockError::TooFar => StatusCode::BAD_REQUEST,
        };
        Problem::new(status, error.to_string())
    })?;
    world.catch_up();
    Ok(Json(reading(&world)))
}
