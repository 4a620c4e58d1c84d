//! HTTP for browsers and tests: the payment page and the test controls; and the route of the API's scripts.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use serde::Deserialize;
use serde_json::Value;

use super::{
    payment_page::{BuyerAction, PaymentPageError},
    provider::Platron,
};
use crate::engine::http::{
    assets::{HTML, JAVASCRIPT, window_file},
    call,
    problem::Problem,
};

pub fn routes(simulator: Arc<Platron>) -> Router {
    Router::new()
        .route("/platron/payment_params.php", get(payment_page))
        .route("/platron/{script}", any(call::serve::<Platron>))
        .route("/sandbox/platron/{file}", get(file))
        .route("/sandbox/platron/payments/{id}", get(show).post(act))
        .route("/sandbox/platron/profiles/{id}", post(set_decline))
        .with_state(simulator)
}

async fn payment_page() -> Response {
    window_file(HTML, include_str!("browser/payment.html"))
}

async fn file(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "payment.js" => window_file(JAVASCRIPT, include_str!("browser/payment.js")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn show(State(simulator): State<Arc<Platron>>, Path(id): Path<String>) -> Result<Json<Value>, Problem> {
    let now = simulator.environment.now();
    Ok(Json(simulator.payment_page(&id, now)?))
}

async fn act(
    State(simulator): State<Arc<Platron>>,
    Path(id): Path<String>,
    Json(action): Json<BuyerAction>,
) -> Result<Json<Value>, Problem> {
    let now = simulator.environment.now();
    simulator.act(&id, action, now)?;
    Ok(Json(simulator.payment_page(&id, now)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextCharges {
    decline: Option<u32>,
}

/// Sets the result of later payments with a recurring profile.
async fn set_decline(
    State(simulator): State<Arc<Platron>>,
    Path(profile): Path<String>,
    Json(next): Json<NextCharges>,
) -> Result<StatusCode, Problem> {
    simulator.set_decline(&profile, next.decline)?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<PaymentPageError> for Problem {
    fn from(error: PaymentPageError) -> Self {
        let status = match error {
            PaymentPageError::NotFound => StatusCode::NOT_FOUND,
            PaymentPageError::NotPending => StatusCode::CONFLICT,
        };
        Self::new(status, error.to_string())
    }
}
