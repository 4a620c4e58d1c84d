//! The browser's side: the script with the buttons, the page on which a buyer decides, and what both ask.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, Query, Request, State},
    http::StatusCode,
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::Value;

use super::{Decision, approval::Refused, buyers::Buyer};
use crate::{
    assets::{HTML, JAVASCRIPT, of_window, window_script},
    call,
    control::problem::Problem,
    world::World,
};

pub async fn api(State(world): State<Arc<World>>, request: Request) -> Response {
    call::serve(world, |world| &world.paypal, request).await
}

#[derive(Deserialize)]
pub struct Asked {
    #[serde(rename = "client-id")]
    client_id: Option<String>,
    vault: Option<String>,
    intent: Option<String>,
}

/// The script is refused as PayPal refuses it: another one comes that only fails.
pub async fn sdk(State(world): State<Arc<World>>, Query(asked): Query<Asked>) -> Response {
    let client = asked.client_id.unwrap_or_default();
    let fault = if client != world.paypal.house.client_id {
        let shown: String = client.chars().filter(char::is_ascii_alphanumeric).collect();
        format!("client-id not recognized for either production or sandbox: {shown}")
    } else if asked.intent.as_deref() == Some("subscription") && asked.vault.as_deref() != Some("true") {
        "Expected vault=true for intent=subscription".to_owned()
    } else {
        return of_window(JAVASCRIPT, window_script!("browser/sdk.js"));
    };
    let script = format!("throw new Error(\"SDK Validation error: '{fault}'\");");
    (StatusCode::BAD_REQUEST, script).into_response()
}

pub async fn approval_page() -> Response {
    of_window(HTML, include_str!("browser/approval.html"))
}

pub async fn part(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "approval.js" => of_window(JAVASCRIPT, include_str!("browser/approval.js")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// What waits for a buyer.
pub async fn waiting(
    State(world): State<Arc<World>>,
    Path(asked): Path<String>,
) -> Result<Json<Value>, Problem> {
    Ok(Json(world.paypal.waiting(&asked)?))
}

/// A buyer has decided.
pub async fn decide(
    State(world): State<Arc<World>>,
    Path(asked): Path<String>,
    Json(decision): Json<Decision>,
) -> Result<Json<Value>, Problem> {
    let now = world.clock.now().timestamp();
    Ok(Json(world.paypal.decide(&asked, decision, now)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HandOver {
    buyer: Buyer,
}

/// Somebody else pays from now on.
pub async fn hand_over(
    State(world): State<Arc<World>>,
    Path(id): Path<String>,
    Json(given): Json<HandOver>,
) -> Result<StatusCode, Problem> {
    world
        .paypal
        .hand_over(&id, given.buyer, world.clock.now().timestamp())?;
    Ok(StatusCode::NO_CONTENT)
}

/// The buyer's bank takes a payment back.
pub async fn reverse(
    State(world): State<Arc<World>>,
    Path(sale): Path<String>,
) -> Result<StatusCode, Problem> {
    world.paypal.reverse(&sale, world.clock.now().timestamp())?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<Refused> for Problem {
    fn from(refused: Refused) -> Self {
        let status = match refused {
            Refused::Unknown => StatusCode::NOT_FOUND,
            Refused::NotWaiting | Refused::NothingTaken => StatusCode::CONFLICT,
        };
        Self::new(status, refused.to_string())
    }
}
