//! A server's call to a twin: read whole, struck by faults, worked on, written down.

use std::{sync::Arc, time::Instant};

use axum::{
    body::{Body, Bytes, to_bytes},
    extract::Request,
    http::{HeaderMap, HeaderValue, Method, StatusCode, header},
    response::Response,
};
use base64::{Engine, engine::general_purpose::STANDARD};
use serde_json::{Value, json};
use sha2::{Digest, Sha256};

use crate::{
    faults::{self, Misfortune},
    idempotency::{Begin, Kept, Keys},
    ids::random,
    journal::Entry,
    server::CutConnection,
    world::World,
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

    /// Name and password of Basic authentication.
    pub fn basic(&self) -> Option<(String, String)> {
        let encoded = self.header("authorization")?.strip_prefix("Basic ")?;
        let decoded = String::from_utf8(STANDARD.decode(encoded.trim()).ok()?).ok()?;
        let (name, password) = decoded.split_once(':')?;
        Some((name.to_owned(), password.to_owned()))
    }

    /// What stands in the query.
    pub fn asked(&self) -> Vec<(String, String)> {
        pairs(self.query.as_bytes())
    }

    /// The value of the query's first parameter of this name.
    pub fn asked_for(&self, name: &str) -> Option<String> {
        self.asked()
            .into_iter()
            .find_map(|(key, value)| (key == name).then_some(value))
    }

    /// What stands in the query and in a form.
    pub fn fields(&self) -> Vec<(String, String)> {
        let mut fields = self.asked();
        if self.has_type("application/x-www-form-urlencoded") {
            fields.extend(pairs(&self.body));
        }
        fields
    }

    pub fn has_type(&self, content_type: &str) -> bool {
        self.header("content-type")
            .is_some_and(|given| given.starts_with(content_type))
    }

    /// Equal for the same call with the same body.
    pub fn fingerprint(&self) -> String {
        let mut digest = Sha256::new();
        digest.update(format!("{} {}\n", self.method, self.path));
        digest.update(&self.body);
        hex::encode(digest.finalize())
    }

    /// A JSON object; no body at all is an empty one.
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

    fn shown(&self) -> Value {
        let mut shown: serde_json::Map<_, _> = self
            .fields()
            .into_iter()
            .map(|(name, value)| (name, value.into()))
            .collect();
        if let Ok(Value::Object(body)) = serde_json::from_slice(&self.body) {
            shown.extend(body);
        }
        Value::Object(shown)
    }
}

/// Why a body was not taken.
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
    /// The answer of an earlier call with the same idempotency key.
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

/// Who answers calls.
pub trait Desk: Send + Sync + 'static {
    fn answer(&self, call: &Call, now: i64) -> Reply;

    /// What the provider says while it is out of order.
    fn outage(&self, status: u16) -> Reply;
}

/// The work goes on when the caller hangs up, as it does at every provider.
pub async fn serve<D: Desk>(world: Arc<World>, desk: fn(&World) -> &D, request: Request) -> Response {
    let answered = tokio::spawn(async move { process(&world, desk(&world), request).await });
    answered.await.unwrap_or_else(|error| {
        tracing::error!(%error, "a twin failed to answer");
        respond(Some(Reply::empty(500)))
    })
}

async fn process<D: Desk>(world: &World, desk: &D, request: Request) -> Response {
    let began = Instant::now();
    let (parts, body) = request.into_parts();
    let Ok(body) = to_bytes(body, BODY_MAX).await else {
        return respond(Some(desk.outage(413)));
    };
    let call = Call {
        id: random(13).to_lowercase(),
        method: parts.method,
        path: parts.uri.path().to_owned(),
        query: parts.uri.query().unwrap_or_default().to_owned(),
        headers: parts.headers,
        body,
    };
    let actions = world.faults.strike_request(call.method.as_str(), &call.path);
    let reply = match faults::before(&actions).await {
        Some(Misfortune::Cut) => None,
        Some(Misfortune::Error { status, body, .. }) => Some(struck(desk, status, body)),
        None => {
            let reply = desk.answer(&call, world.clock.now().timestamp());
            (!faults::after(&actions).await).then_some(reply)
        }
    };
    world.journal.record(Entry {
        id: call.id.clone(),
        at: world.clock.now(),
        method: call.method.as_str().to_owned(),
        path: call.path.clone(),
        params: call.shown(),
        headers: call.headers,
        status: reply.as_ref().map(|reply| reply.status),
        replayed: reply.as_ref().is_some_and(|reply| reply.is_replayed),
        faults: actions,
        took: began.elapsed(),
    });
    respond(reply)
}

/// A text is sent as it stands, anything else as JSON.
fn struck<D: Desk>(desk: &D, status: u16, body: Option<Value>) -> Reply {
    let provider = desk.outage(status);
    let body = match body {
        None => return provider,
        Some(Value::String(text)) => text,
        Some(body) => body.to_string(),
    };
    Reply { body, ..provider }
}

/// `None` cuts the connection.
fn respond(reply: Option<Reply>) -> Response {
    let Some(reply) = reply else {
        let mut response = Response::new(Body::empty());
        response.extensions_mut().insert(CutConnection);
        return response;
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

/// A call under an idempotency key.
pub struct Once<'a> {
    pub key: &'a str,
    pub call: &'a Call,
    pub now: i64,
    pub kept_secs: i64,
}

/// The key belongs to another call.
pub struct OtherRequest;

impl Once<'_> {
    /// Works once and answers the same ever after; what failed may be tried again under the same key.
    pub fn run<B: AsMut<Keys>>(
        &self,
        books: &mut B,
        work: impl FnOnce(&mut B) -> Reply,
    ) -> Result<Reply, OtherRequest> {
        let begun = books
            .as_mut()
            .begin(self.key, &self.call.fingerprint(), self.now, self.kept_secs);
        match begun {
            Begin::OtherRequest => return Err(OtherRequest),
            Begin::Replay(kept) => {
                let reply = Reply::text(kept.status, "application/json", kept.body);
                return Ok(Reply {
                    is_replayed: true,
                    ..reply
                });
            }
            // The books are locked while a call is worked on, so that none is ever seen in progress.
            Begin::Fresh | Begin::InProgress => {}
        }
        let reply = work(books);
        if reply.status < 400 {
            let kept = Kept {
                status: reply.status,
                body: reply.body.clone(),
                request_id: self.call.id.clone(),
            };
            books.as_mut().finish(self.key, kept);
        } else {
            books.as_mut().release(self.key);
        }
        Ok(reply)
    }
}
