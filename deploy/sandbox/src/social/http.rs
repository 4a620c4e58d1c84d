//! The doors of the sign-in twins: what servers ask (with faults and the journal), and what tests set.

use std::{collections::HashMap, sync::Arc};

use axum::{
    Json,
    body::Body,
    extract::{Query, Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::{IntoResponse, Response},
};
use serde::Deserialize;
use serde_json::{Value, json};

use super::{
    Case, Provider, SignIn,
    graph::{GraphError, Question},
    people,
};
use crate::{
    control::problem::Problem,
    faults::{self, Action, Misfortune},
    journal::Entry,
    server::CutConnection,
    world::World,
};

type Parameters = HashMap<String, String>;

/// A provider's answer before it leaves; `None` cuts the connection.
type Reply = Option<(u16, Value)>;

pub async fn apple_keys(State(world): State<Arc<World>>, request: Request) -> Response {
    keys(&world, Provider::Apple, request).await
}

pub async fn google_keys(State(world): State<Arc<World>>, request: Request) -> Response {
    keys(&world, Provider::Google, request).await
}

async fn keys(world: &World, provider: Provider, request: Request) -> Response {
    let mut response = asked(world, request, |_, _| {
        (200, world.social.key_set(provider).unwrap_or_default())
    })
    .await;
    let lives = HeaderValue::from_static("public, max-age=3600");
    response.headers_mut().insert(header::CACHE_CONTROL, lives);
    response
}

pub async fn debug_token(State(world): State<Arc<World>>, request: Request) -> Response {
    let now = world.clock.now().timestamp();
    asked(&world, request, |headers, given| {
        let input = given.get("input_token").map(String::as_str).unwrap_or_default();
        shown(world.social.debug_token(token_of(headers, given), input, now))
    })
    .await
}

pub async fn me(State(world): State<Arc<World>>, request: Request) -> Response {
    let now = world.clock.now().timestamp();
    asked(&world, request, |headers, given| {
        let question = Question {
            token: token_of(headers, given),
            proof: given.get("appsecret_proof").map(String::as_str),
            fields: given.get("fields").map(String::as_str).unwrap_or_default(),
            is_from_browser: headers.contains_key(header::ORIGIN),
        };
        shown(world.social.me(&question, now))
    })
    .await
}

fn token_of<'a>(headers: &'a HeaderMap, given: &'a Parameters) -> Option<&'a str> {
    let authorization = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok());
    let bearer = authorization.and_then(|text| {
        text.strip_prefix("Bearer ")
            .or_else(|| text.strip_prefix("OAuth "))
    });
    bearer.or_else(|| given.get("access_token").map(String::as_str))
}

fn shown(answer: Result<Value, GraphError>) -> (u16, Value) {
    match answer {
        Ok(body) => (200, body),
        Err(error) => (error.status, error.body),
    }
}

/// A question of a server: faults first, then the answer, and a line in the journal.
async fn asked(
    world: &World,
    request: Request,
    answer: impl FnOnce(&HeaderMap, &Parameters) -> (u16, Value),
) -> Response {
    let began = std::time::Instant::now();
    let (parts, _) = request.into_parts();
    let (method, path) = (parts.method.as_str().to_owned(), parts.uri.path().to_owned());
    let given: Parameters = Query::try_from_uri(&parts.uri)
        .map(|Query(given)| given)
        .unwrap_or_default();
    let actions = world.faults.strike_request(&method, &path);
    let reply = match misfortune(&actions).await {
        Some(reply) => reply,
        None => Some(answer(&parts.headers, &given)),
    };
    world.journal.record(Entry {
        id: format!("req_{:016x}", rand::random::<u64>()),
        at: world.clock.now(),
        method,
        path,
        params: hidden(given),
        headers: parts.headers,
        status: reply.as_ref().map(|(status, _)| *status),
        replayed: false,
        faults: actions,
        took: began.elapsed(),
    });
    respond(reply)
}

/// Tokens of people are nobody's business, in the journal neither.
fn hidden(given: Parameters) -> Value {
    let fields = given.into_iter().map(|(name, value)| {
        let is_secret = ["access_token", "input_token", "appsecret_proof"].contains(&name.as_str());
        (name, if is_secret { "…".into() } else { value.into() })
    });
    Value::Object(fields.collect())
}

async fn misfortune(actions: &[Action]) -> Option<Reply> {
    match faults::before(actions).await {
        Some(Misfortune::Cut) => Some(None),
        Some(Misfortune::Error { status, body, .. }) => Some(Some((
            status,
            body.unwrap_or_else(|| json!({ "error": "unavailable" })),
        ))),
        // There is no work that could be done or not: an answer lost later is an answer lost now.
        None => faults::after(actions).await.then_some(None),
    }
}

fn respond(reply: Reply) -> Response {
    let Some((status, body)) = reply else {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(CutConnection);
        return response;
    };
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, Json(body)).into_response()
}

/// Who can be chosen.
pub async fn people() -> Json<Value> {
    Json(json!({ "people": people::listed() }))
}

#[derive(Deserialize)]
pub struct Of {
    provider: Provider,
}

/// What can be chosen to happen at this provider.
pub async fn cases(Query(of): Query<Of>) -> Json<Value> {
    let cases: Vec<Case> = Case::ALL
        .into_iter()
        .filter(|case| case.fits(of.provider))
        .collect();
    Json(json!({ "cases": cases }))
}

/// Somebody was chosen in a window.
pub async fn sign_in(
    State(world): State<Arc<World>>,
    Json(asked): Json<SignIn>,
) -> Result<(StatusCode, Json<Value>), Problem> {
    let answer = world.social.sign_in(asked, world.clock.now().timestamp());
    let answer = answer.map_err(|refused| Problem::bad(refused.to_string()))?;
    Ok((StatusCode::CREATED, Json(answer)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Armed {
    provider: Provider,
    case: Case,
}

/// What the provider's next sign-in will be, for a test that only clicks on people.
pub async fn arm(State(world): State<Arc<World>>, Json(armed): Json<Armed>) -> Result<StatusCode, Problem> {
    if !armed.case.fits(armed.provider) {
        return Err(Problem::bad("this provider does not do that"));
    }
    world.social.arm(armed.provider, armed.case);
    Ok(StatusCode::NO_CONTENT)
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rotated {
    provider: Provider,
}

pub async fn rotate(
    State(world): State<Arc<World>>,
    Json(rotated): Json<Rotated>,
) -> Result<Json<Value>, Problem> {
    let key_id = world.social.rotate_keys(rotated.provider);
    let key_id = key_id.ok_or_else(|| Problem::bad("Facebook signs nothing"))?;
    Ok(Json(json!({ "kid": key_id })))
}

pub async fn forget(State(world): State<Arc<World>>) -> StatusCode {
    world.social.forget();
    StatusCode::NO_CONTENT
}
