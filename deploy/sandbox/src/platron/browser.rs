//! The browser's side: the page on which somebody pays, and what it asks; and the door of the scripts.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::Value;

use super::checkout::{Deed, Refused};
use crate::{
    assets::{HTML, JAVASCRIPT, of_window},
    call,
    control::problem::Problem,
    world::World,
};

pub async fn script(State(world): State<Arc<World>>, request: Request) -> Response {
    call::serve(world, |world| &world.platron, request).await
}

pub async fn payment_page() -> Response {
    of_window(HTML, include_str!("browser/payment.html"))
}

pub async fn part(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "payment.js" => of_window(JAVASCRIPT, include_str!("browser/payment.js")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// What waits to be paid, and how it went.
pub async fn waiting(
    State(world): State<Arc<World>>,
    Path(customer): Path<String>,
) -> Result<Json<Value>, Problem> {
    let now = world.clock.now().timestamp();
    Ok(Json(world.platron.waiting(&customer, now)?))
}

/// Somebody pays, or does not.
pub async fn act(
    State(world): State<Arc<World>>,
    Path(customer): Path<String>,
    Json(deed): Json<Deed>,
) -> Result<Json<Value>, Problem> {
    let now = world.clock.now().timestamp();
    world.platron.act(&customer, deed, now)?;
    Ok(Json(world.platron.waiting(&customer, now)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fate {
    refusal: Option<u32>,
}

/// What becomes of further payments with a recurring profile.
pub async fn set_refusal(
    State(world): State<Arc<World>>,
    Path(profile): Path<String>,
    Json(fate): Json<Fate>,
) -> Result<StatusCode, Problem> {
    world.platron.set_refusal(&profile, fate.refusal)?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let status = match refused {
            Refused::Unknown => StatusCode::NOT_FOUND,
            Refused::Over => StatusCode::CONFLICT,
        };
        Self::new(status, refused.to_string())
    }
}
