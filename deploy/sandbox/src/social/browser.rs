//! HTTP for browsers and tests: the providers' scripts, their sign-in windows, and the test controls.

use std::sync::Arc;

use axum::{
    Json, Router,
    extract::{Path, Query, State},
    http::{Method, StatusCode},
    response::{IntoResponse, Response},
    routing::{delete, get, post},
};
use serde::Deserialize;
use serde_json::{Value, json};
use tower_http::cors::{Any, CorsLayer};

use super::{cases::Case, people, provider::Provider, sign_in::SignIn, simulator::Social};
use crate::engine::http::{
    assets::{HTML, JAVASCRIPT, window_file, window_script},
    call,
    problem::Problem,
};

pub fn routes(simulator: Arc<Social>) -> Router {
    let any_origin = CorsLayer::new().allow_origin(Any).allow_methods([Method::GET]);
    Router::new()
        .route("/facebook/{version}/me", get(call::serve::<Social>))
        .layer(any_origin)
        .route("/facebook/{version}/debug_token", get(call::serve::<Social>))
        .route("/facebook/{locale}/sdk.js", get(facebook))
        .route("/facebook/{version}/dialog/oauth", get(window))
        .route("/apple/auth/keys", get(call::serve::<Social>))
        .route("/apple/appleid.auth.js", get(apple))
        .route("/apple/auth/authorize", get(window))
        .route("/google/oauth2/v3/certs", get(call::serve::<Social>))
        .route("/google/gsi/client", get(google))
        .route("/google/gsi/select", get(window))
        .route("/sandbox/social", delete(reset))
        .route("/sandbox/social/{file}", get(file))
        .route("/sandbox/social/people", get(people))
        .route("/sandbox/social/cases", get(cases))
        .route("/sandbox/social/next-case", post(set_next_case))
        .route("/sandbox/social/keys/rotate", post(rotate_keys))
        .route("/sandbox/social/sign-ins", post(sign_in))
        .with_state(simulator)
}

async fn apple() -> Response {
    window_file(JAVASCRIPT, window_script!("browser/apple.js"))
}

async fn google() -> Response {
    window_file(JAVASCRIPT, window_script!("browser/google.js"))
}

async fn facebook() -> Response {
    window_file(JAVASCRIPT, window_script!("browser/facebook.js"))
}

/// The same window for all three; its URL names the provider.
async fn window() -> Response {
    window_file(HTML, include_str!("browser/dialog.html"))
}

async fn file(Path(name): Path<String>) -> Response {
    match name.as_str() {
        "dialog.js" => window_file(JAVASCRIPT, include_str!("browser/dialog.js")),
        _ => StatusCode::NOT_FOUND.into_response(),
    }
}

/// The people to choose from.
async fn people() -> Json<Value> {
    Json(json!({ "people": people::listed() }))
}

#[derive(Deserialize)]
struct CaseFilter {
    provider: Provider,
}

/// The cases that apply to a provider.
async fn cases(Query(filter): Query<CaseFilter>) -> Json<Value> {
    let cases: Vec<Case> = Case::ALL
        .into_iter()
        .filter(|case| case.applies_to(filter.provider))
        .collect();
    Json(json!({ "cases": cases }))
}

/// A person was chosen in a window.
async fn sign_in(
    State(simulator): State<Arc<Social>>,
    Json(request): Json<SignIn>,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let response = simulator.sign_in(request, simulator.environment.now());
    let response = response.map_err(|error| Problem::bad(error.to_string()))?;
    Ok((StatusCode::CREATED, Json(response)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct NextCase {
    provider: Provider,
    case: Case,
}

/// Sets the case of the provider's next sign-in, for tests that choose only a person.
async fn set_next_case(
    State(simulator): State<Arc<Social>>,
    Json(next): Json<NextCase>,
) -> Result<StatusCode, Problem> {
    if !next.case.applies_to(next.provider) {
        return Err(Problem::bad("the case does not apply to this provider"));
    }
    simulator.set_next_case(next.provider, next.case);
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct KeyRotation {
    provider: Provider,
}

async fn rotate_keys(
    State(simulator): State<Arc<Social>>,
    Json(rotation): Json<KeyRotation>,
) -> Result<Json<Value>, Problem> {
    let key_id = simulator.rotate_keys(rotation.provider);
    let key_id = key_id.ok_or_else(|| Problem::bad("Facebook has no signing keys"))?;
    Ok(Json(json!({ "kid": key_id })))
}

async fn reset(State(simulator): State<Arc<Social>>) -> StatusCode {
    simulator.reset();
    StatusCode::NO_CONTENT
}
