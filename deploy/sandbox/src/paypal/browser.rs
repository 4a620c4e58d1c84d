//! HTTP for browsers and tests: the script with the buttons, the approval page, and the test controls.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::StatusCode,
    response::{IntoResponse, Response},
    routing::{any, get, post},
};
use serde::Deserialize;
use serde_json::Value;

use super::{
    approval::{ApprovalError, Decision},
    buyers::Buyer,
    provider::Paypal,
};
use crate::engine::http::{
    assets::{HTML, JAVASCRIPT, allow_any_origin, window_file, window_script},
    call,
    problem::Problem,
};

pub fn routes(simulator: Arc<Paypal>) -> Router {
    Router::new()
        .route("/paypal/v1/{*path}", any(call::serve::<Paypal>))
        .route("/paypal/v2/{*path}", any(call::serve::<Paypal>))
        .layer(allow_any_origin())
        .route("/paypal/sdk/js", get(sdk))
        .route("/paypal/webapps/billing/subscriptions", get(approval_page))
        .route("/sandbox/paypal/{file}", get(file))
        .route("/sandbox/paypal/approvals/{id}", get(show).post(decide))
        .route("/sandbox/paypal/buyers/{subscription}", post(set_buyer))
        .route("/sandbox/paypal/reversals/{sale}", post(reverse))
        .with_state(simulator)
}

#[derive(Deserialize)]
struct SdkParams {
    #[serde(rename = "client-id")]
    client_id: Option<String>,
    vault: Option<String>,
    intent: Option<String>,
}

/// PayPal rejects wrong parameters with a script that throws.
async fn sdk(State(simulator): State<Arc<Paypal>>, Query(params): Query<SdkParams>) -> Response {
    let client = params.client_id.unwrap_or_default();
    let error = if client != simulator.provider.client_id {
        let shown: String = client.chars().filter(char::is_ascii_alphanumeric).collect();
        format!("client-id not recognized for either production or sandbox: {shown}")
    } else if params.intent.as_deref() == Some("subscription") && params.vault.as_deref() != Some("true") {
        "Expected vault=true for intent=subscription".to_owned()
    } else {
        return window_file(JAVASCRIPT, window_script!("browser/sdk.js"));
    };
    let script = format!("throw new Error(\"SDK Validation error: '{error}'\");");
    (StatusCode::BAD_REQUEST, script).into_response()
}

async fn approval_page() -> Response {
    window_file(HTML, include_str!("browser/approval.html"))
}

async fn file(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "approval.js" => window_file(JAVASCRIPT, include_str!("browser/approval.js")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

async fn show(State(simulator): State<Arc<Paypal>>, Path(id): Path<String>) -> Result<Json<Value>, Problem> {
    Ok(Json(simulator.approval_page(&id)?))
}

async fn decide(
    State(simulator): State<Arc<Paypal>>,
    Path(id): Path<String>,
    Json(decision): Json<Decision>,
) -> Result<Json<Value>, Problem> {
    let now = simulator.environment.now();
    Ok(Json(simulator.decide(&id, decision, now)?))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextPayments {
    buyer: Buyer,
}

/// Sets the buyer of later payments.
async fn set_buyer(
    State(simulator): State<Arc<Paypal>>,
    Path(subscription): Path<String>,
    Json(next): Json<NextPayments>,
) -> Result<StatusCode, Problem> {
    let now = simulator.environment.now();
    simulator.set_buyer(&subscription, next.buyer, now)?;
    Ok(StatusCode::NO_CONTENT)
}

/// The buyer's bank reverses a sale.
async fn reverse(
    State(simulator): State<Arc<Paypal>>,
    Path(sale): Path<String>,
) -> Result<StatusCode, Problem> {
    simulator.reverse(&sale, simulator.environment.now())?;
    Ok(StatusCode::NO_CONTENT)
}

impl From<ApprovalError> for Problem {
    fn from(error: ApprovalError) -> Self {
        let status = match error {
            ApprovalError::NotFound => StatusCode::NOT_FOUND,
            ApprovalError::NotPending | ApprovalError::NotReversible => StatusCode::CONFLICT,
        };
        Self::new(status, error.to_string())
    }
}
