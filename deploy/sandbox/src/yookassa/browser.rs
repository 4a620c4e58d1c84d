//! HTTP for browsers and tests: the widget's script, the payment page, and the test controls.

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
    payment_page::{BuyerAction, Outcome, PaymentPageError},
    provider::Yookassa,
};
use crate::engine::http::{
    assets::{HTML, JAVASCRIPT, window_file},
    call,
    problem::Problem,
};

pub fn routes(simulator: Arc<Yookassa>) -> Router {
    Router::new()
        .route("/yookassa/v3/{*path}", any(call::serve::<Yookassa>))
        .route("/yookassa/checkout-widget/v1/checkout-widget.js", get(widget))
        .route("/yookassa/checkout", get(payment_page))
        .route("/yookassa/api-pages/v2/payment-confirm/epl", get(payment_page))
        .route("/sandbox/yookassa/{file}", get(file))
        .route("/sandbox/yookassa/payments/{id}", get(show).post(act))
        .route("/sandbox/yookassa/methods/{id}", post(set_decline))
        .with_state(simulator)
}

async fn widget() -> Response {
    window_file(JAVASCRIPT, include_str!("browser/widget.js"))
}

/// In the widget's frame or as a page of its own.
async fn payment_page() -> Response {
    window_file(HTML, include_str!("browser/checkout.html"))
}

async fn file(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "checkout.js" => window_file(JAVASCRIPT, include_str!("browser/checkout.js")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn show(
    State(simulator): State<Arc<Yookassa>>,
    Path(id): Path<String>,
) -> Result<Json<Value>, Problem> {
    let now = simulator.environment.now();
    Ok(Json(simulator.payment_page(&id, now)?))
}

async fn act(
    State(simulator): State<Arc<Yookassa>>,
    Path(id): Path<String>,
    Json(action): Json<BuyerAction>,
) -> Result<Json<Outcome>, Problem> {
    let now = simulator.environment.now();
    Ok(Json(simulator.act(&id, &action, now)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextCharges {
    decline: Option<String>,
}

/// Sets the result of later payments with a saved card.
async fn set_decline(
    State(simulator): State<Arc<Yookassa>>,
    Path(method): Path<String>,
    Json(next): Json<NextCharges>,
) -> Result<StatusCode, Problem> {
    simulator.set_decline(&method, next.decline.as_deref())?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<PaymentPageError> for Problem {
    fn from(error: PaymentPageError) -> Self {
        let status = match error {
            PaymentPageError::NotFound => StatusCode::NOT_FOUND,
            PaymentPageError::NotPending => StatusCode::CONFLICT,
            PaymentPageError::UnknownCard => StatusCode::UNPROCESSABLE_ENTITY,
        };
        Self::new(status, error.to_string())
    }
}
