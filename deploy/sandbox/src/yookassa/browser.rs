//! The browser's side: the widget's script, the page on which somebody pays, and what it asks.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::Value;

use super::checkout::{Deed, Outcome, Refused};
use crate::{
    assets::{HTML, JAVASCRIPT, of_window},
    call,
    control::problem::Problem,
    world::World,
};

pub async fn api(State(world): State<Arc<World>>, request: Request) -> Response {
    call::serve(world, |world| &world.yookassa, request).await
}

pub async fn widget() -> Response {
    of_window(JAVASCRIPT, include_str!("browser/widget.js"))
}

/// In a frame of the widget, or alone.
pub async fn checkout_page() -> Response {
    of_window(HTML, include_str!("browser/checkout.html"))
}

pub async fn part(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "checkout.js" => of_window(JAVASCRIPT, include_str!("browser/checkout.js")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// What waits to be paid.
pub async fn waiting(
    State(world): State<Arc<World>>,
    Path(asked): Path<String>,
) -> Result<Json<Value>, Problem> {
    let now = world.clock.now().timestamp();
    Ok(Json(world.yookassa.waiting(&asked, now)?))
}

/// Somebody pays, or does not.
pub async fn act(
    State(world): State<Arc<World>>,
    Path(asked): Path<String>,
    Json(deed): Json<Deed>,
) -> Result<Json<Outcome>, Problem> {
    let now = world.clock.now().timestamp();
    Ok(Json(world.yookassa.act(&asked, &deed, now)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fate {
    refusal: Option<String>,
}

/// What becomes of further payments with a saved card.
pub async fn set_refusal(
    State(world): State<Arc<World>>,
    Path(method): Path<String>,
    Json(fate): Json<Fate>,
) -> Result<StatusCode, Problem> {
    world.yookassa.set_refusal(&method, fate.refusal.as_deref())?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let status = match refused {
            Refused::Unknown => StatusCode::NOT_FOUND,
            Refused::Over => StatusCode::CONFLICT,
            Refused::NoCard => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::new(status, refused.to_string())
    }
}
