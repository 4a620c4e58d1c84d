//! A request's way: key, form, idempotency, faults before, the work itself, faults after.

use std::sync::Arc;

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::{
    API_VERSION, auth,
    ctx::{Cause, Ctx, Key},
    error::{Answer, ApiError, Stage},
    expand, form, parameters,
    params::Params,
    routes,
};
use crate::{
    faults::{self, Action, Misfortune},
    idempotency::{Begin, Kept},
    ids::random,
    journal::Entry,
    server::CutConnection,
    world::World,
};

const BODY_MAX: usize = 1024 * 1024;
const KEYS_KEPT_SECS: i64 = 24 * 3600;

struct Call {
    id: String,
    method: String,
    path: String,
    headers: HeaderMap,
    fields: form::Fields,
    fingerprint: String,
}

/// A request that may be worked on.
struct Admitted {
    cause: Cause,
    params: Params,
    expand: Vec<String>,
}

/// What goes back, or why nothing does.
struct Reply {
    status: u16,
    body: Value,
    /// The request that was answered first, when this is its answer again.
    original: Option<String>,
    cut: Option<CutConnection>,
}

impl Reply {
    const fn new(status: u16, body: Value) -> Self {
        Self {
            status,
            body,
            original: None,
            cut: None,
        }
    }

    fn error(error: &ApiError) -> Self {
        Self::new(error.status, error.body())
    }
}

/// The work goes on when the caller hangs up, as it does at Stripe.
pub async fn serve(State(world): State<Arc<World>>, request: Request) -> Response {
    tokio::spawn(async move { process(&world, request).await })
        .await
        .unwrap_or_else(|error| {
            tracing::error!(%error, "the twin failed to answer");
            let body = json!({ "error": { "type": "api_error", "message": "The sandbox failed." } });
            respond(&Reply::new(500, body), "req_failed", None)
        })
}

async fn process(world: &World, request: Request) -> Response {
    let began = std::time::Instant::now();
    let call = match read(request).await {
        Ok(call) => call,
        Err(error) => return respond(&Reply::error(&error), &new_request_id(), None),
    };
    let actions = world.faults.strike_request(&call.method, &call.path);
    let key = idempotency_key(&call);
    let reply = answer(world, &call, key.as_deref(), &actions).await;

    world.journal.record(Entry {
        id: call.id.clone(),
        at: world.clock.now(),
        method: call.method.clone(),
        path: call.path.clone(),
        params: form::to_json(&call.fields),
        headers: call.headers.clone(),
        status: reply.cut.is_none().then_some(reply.status),
        replayed: reply.original.is_some(),
        faults: actions,
        took: began.elapsed(),
    });
    respond(&reply, &call.id, key.as_deref())
}

fn new_request_id() -> String {
    format!("req_{}", random(14))
}

async fn read(request: Request) -> Result<Call, ApiError> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, BODY_MAX)
        .await
        .map_err(|_| ApiError::malformed("The request body is too large.").status(413))?;
    let encoded = is_form(&parts.headers) || body.is_empty();
    if !encoded {
        return Err(ApiError::malformed(
            "Invalid request (check that your POST content type is application/x-www-form-urlencoded). If you have any questions, we can help at https://support.stripe.com/.",
        ));
    }
    let query = parts.uri.query().unwrap_or_default().as_bytes();
    let mut fields = form::parse(query)?;
    fields.extend(form::parse(&body)?);
    let method = parts.method.as_str().to_owned();
    let path = parts.uri.path().to_owned();
    let fingerprint = fingerprint(&method, &path, &[query, &body]);
    Ok(Call {
        id: new_request_id(),
        method,
        path,
        headers: parts.headers,
        fields,
        fingerprint,
    })
}

fn is_form(headers: &HeaderMap) -> bool {
    let content_type = headers
        .get(header::CONTENT_TYPE)
        .and_then(|value| value.to_str().ok());
    content_type.is_some_and(|value| value.starts_with("application/x-www-form-urlencoded"))
}

/// Equal for the same call with its parameters in another order.
fn fingerprint(method: &str, path: &str, encoded: &[&[u8]]) -> String {
    let mut pairs: Vec<_> = encoded
        .iter()
        .flat_map(|part| url::form_urlencoded::parse(part).into_owned())
        .collect();
    pairs.sort();
    let mut digest = Sha256::new();
    digest.update(format!("{method} {path}"));
    for (name, value) in pairs {
        digest.update(format!("\n{}={}:{name}={value}", name.len(), value.len()));
    }
    hex::encode(digest.finalize())
}

fn idempotency_key(call: &Call) -> Option<String> {
    let key = call.headers.get("idempotency-key")?.to_str().ok()?;
    (call.method == "POST" && !key.is_empty()).then(|| key.to_owned())
}

async fn answer(world: &World, call: &Call, key: Option<&str>, actions: &[Action]) -> Reply {
    let admitted = match admit(world, call, key) {
        Ok(admitted) => admitted,
        Err(error) => return Reply::error(&error),
    };
    let now = world.clock.now().timestamp();
    if let Some(key) = key
        && let Some(reply) = begin(world, call, key, now)
    {
        return reply;
    }

    if let Some(reply) = before(actions, world, key, &call.id).await {
        return reply;
    }
    let mut reply = work(world, call, key, admitted);
    if faults::after(actions).await {
        reply.cut = Some(CutConnection);
    }
    reply
}

fn admit(world: &World, call: &Call, key: Option<&str>) -> Result<Admitted, ApiError> {
    let mut params = Params::new(call.fields.clone());
    let caller = auth::authenticate(&world.twin.house, &call.headers, &mut params)?;
    auth::check_reach(caller, &call.method, &segments(&call.path))?;
    check_version(&call.headers)?;
    let expand = params.texts("expand")?;
    let cause = Cause {
        request: Some(call.id.clone()),
        idempotency_key: key.map(ToOwned::to_owned),
        key: caller,
    };
    Ok(Admitted {
        cause,
        params,
        expand,
    })
}

fn check_version(headers: &HeaderMap) -> Result<(), ApiError> {
    let version = headers
        .get("stripe-version")
        .and_then(|value| value.to_str().ok());
    match version {
        None | Some(API_VERSION) => Ok(()),
        Some(other) => Err(ApiError::malformed(format!(
            "Invalid Stripe API version: {other}. The sandbox speaks {API_VERSION} only."
        ))),
    }
}

/// `/stripe/v1/prices/price_1` → `prices`, `price_1`.
fn segments(path: &str) -> Vec<&str> {
    let rest = path.split_once("/v1/").map_or("", |(_, rest)| rest);
    rest.split('/').filter(|segment| !segment.is_empty()).collect()
}

fn begin(world: &World, call: &Call, key: &str, now: i64) -> Option<Reply> {
    let error = match world.twin.books().keys.begin(key, &call.fingerprint, now, KEYS_KEPT_SECS) {
        Begin::Fresh => return None,
        Begin::Replay(kept) => {
            let body = serde_json::from_str(&kept.body).unwrap_or_default();
            let original = Some(kept.request_id);
            return Some(Reply { original, ..Reply::new(kept.status, body) });
        }
        Begin::InProgress => ApiError::idempotency(409, format!(
            "There is currently another in-progress request using this Idempotent Key (that probably means you submitted twice, and the other request is still going through): {key}. Please try again later."
        ))
        .code("idempotency_key_in_use"),
        Begin::OtherRequest => ApiError::idempotency(400, format!(
            "Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '{key}' if you meant to execute a different request."
        )),
    };
    Some(Reply::error(&error))
}

/// What a fault does instead of the work.
async fn before(actions: &[Action], world: &World, key: Option<&str>, request: &str) -> Option<Reply> {
    match faults::before(actions).await? {
        Misfortune::Cut => {
            release(world, key);
            Some(Reply {
                cut: Some(CutConnection),
                ..Reply::new(500, Value::Null)
            })
        }
        Misfortune::Error { status, body, kept } => {
            let reply = Reply::new(status, body.unwrap_or_else(|| outage(status)));
            if kept.unwrap_or(status >= 500 && status != 503) {
                keep(world, key, request, &reply);
            } else {
                release(world, key);
            }
            Some(reply)
        }
    }
}

fn release(world: &World, key: Option<&str>) {
    if let Some(key) = key {
        world.twin.books().keys.release(key);
    }
}

fn outage(status: u16) -> Value {
    match status {
        429 => json!({ "error": {
            "type": "invalid_request_error",
            "code": "rate_limit",
            "message": "Too many requests hit the API too quickly. We recommend an exponential backoff of your requests.",
        } }),
        _ => json!({ "error": {
            "type": "api_error",
            "message": "An unknown error occurred. If you have any questions, we can help at https://support.stripe.com/.",
        } }),
    }
}

fn work(world: &World, call: &Call, key: Option<&str>, admitted: Admitted) -> Reply {
    let Admitted {
        cause,
        params,
        expand,
    } = admitted;
    let now = world.clock.now().timestamp();
    let path = segments(&call.path);
    let answer = check_parameters(world, call, cause.key, &path).and_then(|()| {
        world.twin.work(now, cause, |ctx| {
            let answer = routes::dispatch(ctx, &call.method, &path, params);
            answer.and_then(|value| finish(ctx, value, &expand))
        })
    });
    match answer {
        Err(error) if error.stage == Stage::Validation => {
            release(world, key);
            Reply::error(&error)
        }
        answer => {
            let reply = answer.map_or_else(|error| Reply::error(&error), |body| Reply::new(200, body));
            keep(world, key, &call.id, &reply);
            reply
        }
    }
}

/// What Stripe's script in the browser sends is between Stripe and Stripe.
fn check_parameters(world: &World, call: &Call, caller: Key, path: &[&str]) -> Result<(), ApiError> {
    if caller != Key::Secret {
        return Ok(());
    }
    parameters::check(&call.method, path, &call.fields).inspect_err(|error| {
        let misuse = format!("{} {}: {}", call.method, call.path, error.message());
        world.twin.note_misuse(misuse);
    })
}

fn finish(ctx: &Ctx<'_>, mut value: Value, paths: &[String]) -> Answer {
    expand::apply(ctx, &mut value, paths)?;
    if ctx.cause.key == Key::Publishable {
        hide_from_browser(&mut value);
    }
    Ok(value)
}

/// The browser sees of an intent what it needs to finish it.
fn hide_from_browser(value: &mut Value) {
    const HIDDEN: [&str; 9] = [
        "amount_received",
        "application_fee_amount",
        "customer",
        "customer_account",
        "latest_charge",
        "metadata",
        "on_behalf_of",
        "transfer_data",
        "transfer_group",
    ];
    if let Value::Object(fields) = value
        && matches!(
            fields.get("object").and_then(Value::as_str),
            Some("payment_intent" | "setup_intent")
        )
    {
        fields.retain(|name, _| !HIDDEN.contains(&name.as_str()));
    }
}

fn keep(world: &World, key: Option<&str>, request: &str, reply: &Reply) {
    let Some(key) = key else { return };
    let kept = Kept {
        status: reply.status,
        body: reply.body.to_string(),
        request_id: request.to_owned(),
    };
    let mut books = world.twin.books();
    books.keys.finish(key, kept);
    books.touch();
}

fn respond(reply: &Reply, request_id: &str, key: Option<&str>) -> Response {
    let body = serde_json::to_vec_pretty(&reply.body).unwrap_or_default();
    let mut response = Response::new(Body::from(body));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let mut set = |name: &'static str, value: &str| {
        if let Ok(value) = HeaderValue::from_str(value) {
            response.headers_mut().insert(name, value);
        }
    };
    set("content-type", "application/json");
    set("cache-control", "no-cache, no-store");
    set("request-id", request_id);
    set("stripe-version", API_VERSION);
    if let Some(key) = key {
        set("idempotency-key", key);
    }
    if let Some(original) = &reply.original {
        set("idempotent-replayed", "true");
        set("original-request", original);
    }
    if reply.cut.is_some() {
        response.extensions_mut().insert(CutConnection);
    }
    response
}
