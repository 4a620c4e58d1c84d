//! Test controls: the result of later charges to a card, and disputes of earlier ones.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Deserialize;
use serde_json::json;

use super::{
    billing::disputes,
    cards::{CardBehavior, Decline, DisputeClaim},
    object_kind::Kind,
    provider::Stripe,
};
use crate::engine::http::problem::Problem;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct NextCharges {
    decline: Option<Decline>,
}

/// Sets the result of later charges to a saved card.
pub async fn set_decline(
    State(simulator): State<Arc<Stripe>>,
    Path(method): Path<String>,
    Json(next): Json<NextCharges>,
) -> Result<StatusCode, Problem> {
    let behavior = next
        .decline
        .map_or(CardBehavior::Approves, CardBehavior::Declines);
    let is_known = simulator.update(|state| {
        let Some(mut card) = state.get(Kind::PaymentMethod, &method).cloned() else {
            return false;
        };
        card["_behavior"] = json!(behavior);
        state.put(Kind::PaymentMethod, card);
        true
    });
    if is_known {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Problem::new(
        StatusCode::NOT_FOUND,
        "there is no such payment method",
    ))
}

/// The bank disputes the whole charge.
pub async fn dispute(
    State(simulator): State<Arc<Stripe>>,
    Path(charge): Path<String>,
) -> Result<StatusCode, Problem> {
    let is_known = simulator.work(simulator.environment.now(), |ctx| {
        let is_captured = ctx.read(Kind::Charge, &charge)["captured"] == true;
        if is_captured {
            disputes::open(ctx, &charge, DisputeClaim::Fraudulent);
        }
        is_captured
    });
    if is_known {
        return Ok(StatusCode::NO_CONTENT);
    }
    Err(Problem::new(StatusCode::NOT_FOUND, "there is no such charge"))
}
