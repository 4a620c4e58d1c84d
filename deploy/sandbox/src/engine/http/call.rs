//! An API call to a simulator: read whole, subjected to faults, executed, logged.

use std::{sync::Arc, time::Instant};

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::Response,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use super::server::CutConnection;
use crate::engine::{
    environment::Environment,
    faults::{self, Action, InjectedFailure},
    ids::random,
    request_log::HandledRequest,
};

const BODY_MAX: usize = 1024 * 1024;

pub struct Call {
    pub id: String,
    pub method: Method,
    pub path: String,
    pub query: String,
    pub headers: HeaderMap,
    pub body: Bytes,
}

impl Call {
    pub fn header(&self, name: &str) -> Option<&str> {
        self.headers.get(name)?.to_str().ok()
    }

    /// User and password of Basic authentication.
    pub fn basic(&self) -> Option<(String, String)> {
        let encoded = self.header("authorization")?.strip_prefix("Basic ")?;
        let decoded = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
        let (name, password) = decoded.split_once(':')?;
        Some((name.to_owned(), password.to_owned()))
    }

    pub fn query_params(&self) -> Vec<(String, String)> {
        pairs(self.query.as_bytes())
    }

    /// The first query parameter of this name.
    pub fn query_param(&self, name: &str) -> Option<String> {
        self.query_params()
            .into_iter()
            .find_map(|(key, value)| (key == name).then_some(value))
    }

    /// Query parameters and form fields.
    pub fn fields(&self) -> Vec<(String, String)> {
        let mut fields = self.query_params();
        if self.has_type("application/x-www-form-urlencoded") {
            fields.extend(pairs(&self.body));
        }
        fields
    }

    pub fn has_type(&self, content_type: &str) -> bool {
        self.header("content-type")
            .is_some_and(|given| given.starts_with(content_type))
    }

    /// Equal for calls with the same method, path and body.
    pub fn fingerprint(&self) -> String {
        let mut digest = Sha256::new();
        digest.update(format!("{} {}\n", self.method, self.path));
        digest.update(&self.body);
        hex::encode(digest.finalize())
    }

    /// The body as a JSON object; an empty body is an empty object.
    pub fn json(&self) -> Result<Value, BadBody> {
        if self.body.is_empty() {
            return Ok(json!({}));
        }
        if !self.has_type("application/json") {
            return Err(BadBody::MediaType);
        }
        let body: Result<Value, _> = serde_json::from_slice(&self.body);
        body.ok().filter(Value::is_object).ok_or(BadBody::NotJson)
    }

    /// All parameters as one JSON object, for the request log.
    fn params(&self) -> Value {
        let mut params: serde_json::Map<_, _> = self
            .fields()
            .into_iter()
            .map(|(name, value)| (name, value.into()))
            .collect();
        if let Ok(Value::Object(body)) = serde_json::from_slice(&self.body) {
            params.extend(body);
        }
        Value::Object(params)
    }
}

/// Why a body was rejected.
pub enum BadBody {
    MediaType,
    NotJson,
}

fn pairs(encoded: &[u8]) -> Vec<(String, String)> {
    url::form_urlencoded::parse(encoded).into_owned().collect()
}

#[derive(Default)]
pub struct Reply {
    pub status: u16,
    pub headers: Vec<(&'static str, String)>,
    pub body: String,
    /// The stored response to an earlier call with the same idempotency key.
    pub is_replayed: bool,
}

impl Reply {
    pub fn json(status: u16, body: &Value) -> Self {
        Self::text(status, "application/json", body.to_string())
    }

    pub fn text(status: u16, content_type: &str, body: String) -> Self {
        Self {
            status,
            headers: vec![("content-type", content_type.to_owned())],
            body,
            ..Self::default()
        }
    }

    pub fn empty(status: u16) -> Self {
        Self {
            status,
            ..Self::default()
        }
    }
}

/// A provider's API.
pub trait ApiHandler: AsRef<Environment> + Send + Sync + 'static {
    /// What `admit` passes to `handle`.
    type Admitted: Send;

    const CALL_ID_PREFIX: &'static str = "";

    /// Checks a call before faults apply to it.
    fn admit(&self, call: &Call, now: i64) -> Result<Self::Admitted, Reply>;

    fn handle(&self, call: &Call, admitted: Self::Admitted, now: i64) -> Reply;

    /// The provider's own error with this status.
    fn outage(&self, status: u16) -> Reply;

    /// A fault prevented an admitted call; `stored` is the reply to store under its idempotency key.
    fn on_injected_failure(&self, _call: &Call, _stored: Option<&Reply>) {}

    fn logged_params(&self, call: &Call) -> Value {
        call.params()
    }

    fn add_headers(&self, _call: &Call, _reply: &mut Reply) {}
}

/// The call is executed even if the caller disconnects, as by the providers.
pub async fn serve<A: ApiHandler>(State(api): State<Arc<A>>, request: Request) -> Response {
    let task = tokio::spawn(async move { process(&*api, request).await });
    task.await.unwrap_or_else(|error| {
        tracing::error!(%error, "simulator failed; call answered with 500");
        respond(Some(Reply::empty(500)))
    })
}

async fn process<A: ApiHandler>(api: &A, request: Request) -> Response {
    let started = Instant::now();
    let environment: &Environment = api.as_ref();
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY_MAX).await else {
        return respond(Some(api.outage(413)));
    };
    let call = Call {
        id: format!("{}{}", A::CALL_ID_PREFIX, random(13).to_lowercase()),
        method: parts.method,
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers,
        body,
    };
    let actions = environment.faults.on_request(call.method.as_str(), &call.path);
    let mut reply = match api.admit(&call, environment.now()) {
        Ok(admitted) => execute(api, &call, admitted, &actions).await,
        Err(rejection) => Some(rejection),
    };
    if let Some(reply) = &mut reply {
        api.add_headers(&call, reply);
    }
    environment.request_log.record(HandledRequest {
        id: call.id.clone(),
        at: environment.clock.now(),
        method: call.method.as_str().to_owned(),
        path: call.path.clone(),
        params: api.logged_params(&call),
        headers: call.headers,
        status: reply.as_ref().map(|reply| reply.status),
        replayed: reply.as_ref().is_some_and(|reply| reply.is_replayed),
        faults: actions,
        took: started.elapsed(),
    });
    respond(reply)
}

/// `None` if a fault cuts the connection.
async fn execute<A: ApiHandler>(
    api: &A,
    call: &Call,
    admitted: A::Admitted,
    actions: &[Action],
) -> Option<Reply> {
    let environment: &Environment = api.as_ref();
    match faults::before(actions).await {
        Some(InjectedFailure::CutConnection) => {
            api.on_injected_failure(call, None);
            None
        }
        Some(InjectedFailure::Error { status, body, stored }) => {
            let reply = injected(api, status, body);
            let is_stored = stored.unwrap_or(status >= 500 && status != 503);
            api.on_injected_failure(call, is_stored.then_some(&reply));
            Some(reply)
        }
        None => {
            let reply = api.handle(call, admitted, environment.now());
            (!faults::after(actions).await).then_some(reply)
        }
    }
}

/// A text body is sent unchanged, any other value as JSON.
fn injected<A: ApiHandler>(api: &A, status: u16, body: Option<Value>) -> Reply {
    let outage = api.outage(status);
    let body = match body {
        None => return outage,
        Some(Value::String(text)) => text,
        Some(body) => body.to_string(),
    };
    Reply { body, ..outage }
}

/// `None` cuts the connection.
fn respond(reply: Option<Reply>) -> Response {
    let Some(reply) = reply else {
        return CutConnection::response();
    };
    let mut response = Response::new(Body::from(reply.body));
    *response.status_mut() = StatusCode::from_u16(reply.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    for (name, value) in reply.headers {
        if let Ok(value) = HeaderValue::from_str(&value) {
            headers.insert(name, value);
        }
    }
    response
}
