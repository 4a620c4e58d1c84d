//! What becomes of further charges to a card, and of one that was made: something only its bank decides, and whoever tests.

use std::sync::Arc;

use axum::{
    Json,
    extract::{Path, State},
    http::StatusCode,
};
use serde::Deserialize;
use serde_json::json;

use super::{
    Twin,
    cards::{Behaviour, Claim, Refusal},
    ctx::Cause,
    kinds::Kind,
    verbs::disputes,
};
use crate::{control::problem::Problem, world::World};

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fate {
    refusal: Option<Refusal>,
}

pub async fn set_refusal(
    State(world): State<Arc<World>>,
    Path(method): Path<String>,
    Json(fate): Json<Fate>,
) -> Result<StatusCode, Problem> {
    if world.twin.set_refusal(&method, fate.refusal) {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::new(
            StatusCode::NOT_FOUND,
            "There is no such payment method.",
        ))
    }
}

/// The bank takes back all of a charge.
pub async fn dispute(
    State(world): State<Arc<World>>,
    Path(charge): Path<String>,
) -> Result<StatusCode, Problem> {
    let now = world.clock.now().timestamp();
    let is_known = world.twin.work(now, Cause::default(), |ctx| {
        let is_known = ctx.read(Kind::Charge, &charge)["captured"] == true;
        if is_known {
            disputes::open(ctx, &charge, Claim::Fraudulent);
        }
        is_known
    });
    if is_known {
        Ok(StatusCode::NO_CONTENT)
    } else {
        Err(Problem::new(StatusCode::NOT_FOUND, "There is no such charge."))
    }
}

impl Twin {
    /// `false`: there is no such card.
    fn set_refusal(&self, method: &str, refusal: Option<Refusal>) -> bool {
        let mut books = self.books();
        let Some(mut card) = books.get(Kind::PaymentMethod, method).cloned() else {
            return false;
        };
        let behaviour = refusal.map_or(Behaviour::Approves, Behaviour::Refuses);
        card["_behaviour"] = json!(behaviour);
        books.put(Kind::PaymentMethod, card);
        true
    }
}
