//! Streams AI texts to the client as server-sent events while the model writes them.
use std::convert::Infallible;
use std::sync::Arc;

use axum::extract::{FromRequestParts, State};
use axum::http::HeaderMap;
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use futures::stream;
use http::header::CACHE_CONTROL;
use http::request::Parts;
use kit::error::{ErrorCode, Kind};
use proto::sessions::v1::write_ai_text_response as chunk;
use proto::sessions::v1::{WriteAiTextRequest, WriteAiTextResponse};
use serde::{Deserialize, Serialize};
use tokio::sync::mpsc;
use tokio_util::sync::CancellationToken;
use tonic::Streaming;
use utoipa::ToSchema;

use crate::protocol::error::{HandlerResult, Problem, ProblemBody};
use crate::protocol::locale;
use crate::rest::body::Json;
use crate::rest::idempotency::IdempotencyKey;
use crate::security::country;
use crate::state::AppState;

/// Events on their way to a client that reads slowly; the service waits meanwhile.
const BUFFERED_EVENTS_MAX: usize = 16;

const LONGEST_EVENT_ID: usize = 128;

#[derive(Default, Deserialize, ToSchema)]
#[serde(default)]
pub struct AiTextRequest {
    /// At most 1000 characters.
    #[schema(example = "What made you feel close to a friend this week?")]
    q: String,
    /// Without one the browser's language.
    #[schema(example = "tr")]
    lang: Option<String>,
    /// Without one `love-language`.
    #[schema(example = "love-language")]
    r#type: Option<String>,
}

/// One event of the stream.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes what the stream consists of")]
pub struct AiTextEvent {
    /// `message` where it is left out, `crisis`, `done` or `failed`.
    #[schema(example = "message")]
    event: Option<String>,
    /// Brings the rest of the text as `Last-Event-ID`.
    id: Option<String>,
    /// Of a `message` the next piece of the text, of others JSON.
    data: String,
}

/// Where the reader of a stream was cut off; empty at its beginning.
pub struct LastEventId(String);

impl<S: Send + Sync> FromRequestParts<S> for LastEventId {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _state: &S) -> HandlerResult<Self> {
        let Some(id) = parts.headers.get("last-event-id") else {
            return Ok(Self(String::new()));
        };
        match id.to_str() {
            Ok(id) if id.len() <= LONGEST_EVENT_ID => Ok(Self(id.to_owned())),
            Ok(_) | Err(_) => Err(Problem::new(
                Kind::Invalid,
                ErrorCode::ValidationFailed,
                "The last event's id cannot be used.",
            )
            .field("Last-Event-ID", ErrorCode::Invalid, "Send the id as it came.")),
        }
    }
}

/// Writes a text for a question. Each `message` has the next piece of it; `done` ends a whole text, `failed` one that will
/// not be completed. Before any text, `crisis` names helplines where the question mentions self-harm. A stream that ends
/// otherwise was cut: the same call with `Last-Event-ID` goes on after that event, for as long as the reply is kept.
#[utoipa::path(
    post, path = "/v1/external/chats/ai", tag = "sessions", request_body = AiTextRequest,
    params(
        ("Idempotency-Key" = Option<String>, Header, description = "A repeat with the same key returns the same reply"),
        ("Last-Event-ID" = Option<String>, Header, description = "The last event that arrived: goes on after it"),
    ),
    responses(
        (status = 200, body = AiTextEvent, content_type = "text/event-stream", description = "Events `message`, `crisis`, `done`, `failed`"),
        (status = 404, body = ProblemBody, content_type = "application/problem+json", description = "UNKNOWN_REPLY: no longer kept"),
        (status = 409, body = ProblemBody, content_type = "application/problem+json", description = "IDEMPOTENCY_CONFLICT: the key belongs to another question"),
        (status = 422, body = ProblemBody, content_type = "application/problem+json", description = "VALIDATION_FAILED"),
        (status = 429, body = ProblemBody, content_type = "application/problem+json", description = "RATE_LIMITED"),
        (status = 503, body = ProblemBody, content_type = "application/problem+json", description = "Too many texts at once, or no answer from within"),
    )
)]
pub async fn ai_text(
    State(app): State<Arc<AppState>>,
    headers: HeaderMap,
    IdempotencyKey(idempotency_key): IdempotencyKey,
    LastEventId(after): LastEventId,
    Json(asked): Json<AiTextRequest>,
) -> HandlerResult<Response> {
    let lang = asked.lang.as_deref().and_then(locale::supported);
    let lang = lang.unwrap_or_else(|| locale::negotiate(&headers)).code();
    let request = WriteAiTextRequest {
        question: asked.q,
        lang: lang.to_owned(),
        r#type: asked.r#type.unwrap_or_default(),
        country: country::known(&headers, app.config.clients.country_header.as_ref(), lang),
        idempotency_key,
        after,
    };
    let source = app.clients.sessions().write_ai_text(request).await?.into_inner();

    // The reply is read on the services' runtime; connection threads only forward events.
    let (sender, receiver) = mpsc::channel(BUFFERED_EVENTS_MAX);
    tokio::spawn(relay(source, sender, app.shutdown.clone()));
    let events = stream::unfold(receiver, |mut receiver| async move {
        let event: Event = receiver.recv().await?;
        Some((Ok::<_, Infallible>(event), receiver))
    });
    let keep_alive = KeepAlive::new().interval(app.config.server.keep_alive);
    let headers = [
        (CACHE_CONTROL, "no-store"),
        // Disables response buffering in a proxy.
        (http::HeaderName::from_static("x-accel-buffering"), "no"),
    ];
    Ok((headers, Sse::new(events).keep_alive(keep_alive)).into_response())
}

/// Relays events until the reply ends, the client disconnects, or this process stops. The client resumes with `Last-Event-ID`.
async fn relay(
    mut source: Streaming<WriteAiTextResponse>,
    sender: mpsc::Sender<Event>,
    shutdown: CancellationToken,
) {
    loop {
        let message = tokio::select! {
            message = source.message() => message,
            () = sender.closed() => return,
            () = shutdown.cancelled() => return,
        };
        match message {
            Ok(Some(message)) => {
                let Some(event) = event(message) else { continue };
                if sender.send(event).await.is_err() {
                    return;
                }
            }
            Ok(None) => return,
            Err(status) => {
                tracing::warn!(code = ?status.code(), "stream of an AI text from sessions failed; the client resumes it");
                return;
            }
        }
    }
}

/// `None` for an event type that this gateway does not support.
fn event(message: WriteAiTextResponse) -> Option<Event> {
    let event = Event::default().id(message.position);
    Some(match message.event? {
        chunk::Event::Text(text) => event.data(text),
        chunk::Event::Crisis(crisis) => event.event("crisis").data(json(&Crisis::from(crisis))),
        chunk::Event::Done(_) => event.event("done").data("{}"),
        chunk::Event::Failed(chunk::Failed { code, message }) => {
            event.event("failed").data(json(&Failed { code, message }))
        }
    })
}

#[derive(Serialize)]
struct Failed {
    code: String,
    message: String,
}

#[derive(Serialize)]
struct Crisis {
    helplines: Vec<Helpline>,
}

#[derive(Serialize)]
struct Helpline {
    name: String,
    phone: String,
    url: String,
}

impl From<chunk::Crisis> for Crisis {
    fn from(crisis: chunk::Crisis) -> Self {
        let helplines = crisis
            .helplines
            .into_iter()
            .map(|chunk::Helpline { name, phone, url }| Helpline { name, phone, url })
            .collect();
        Self { helplines }
    }
}

/// Texts alone cannot fail to become JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
