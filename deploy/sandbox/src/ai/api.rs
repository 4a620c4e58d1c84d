//! `chat/completions`: authentication, validation, the text, faults before it or in its middle.

use std::sync::Arc;

use axum::{
    Router,
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
    routing::post,
};
use serde_json::{Value, json};

use super::{model::LanguageModel, response_stream::ResponseStream, texts};
use crate::engine::{
    faults::{self, Action, InjectedFailure},
    http::server::CutConnection,
    request_log::HandledRequest,
};

const BODY_MAX: usize = 1024 * 1024;

enum Reply {
    Error(u16, Value),
    Whole(Value),
    Streamed(ResponseStream),
    Disconnect,
}

struct Completion {
    model: String,
    instructions: String,
    question: String,
    is_streamed: bool,
}

pub fn routes(model: Arc<LanguageModel>) -> Router {
    Router::new()
        .route("/ai/v1/chat/completions", post(complete))
        .with_state(model)
}

async fn complete(State(model): State<Arc<LanguageModel>>, request: Request) -> Response {
    let started = std::time::Instant::now();
    let (parts, body) = request.into_parts();
    let (method, path) = (parts.method.as_str().to_owned(), parts.uri.path().to_owned());
    let body = to_bytes(body, BODY_MAX).await.unwrap_or_default();
    let params: Value = serde_json::from_slice(&body).unwrap_or_default();
    let actions = model.environment.faults.on_request(&method, &path);
    let reply = respond_to(&model, &parts.headers, &params, &actions).await;

    model.environment.request_log.record(HandledRequest {
        id: format!("req_{:016x}", rand::random::<u64>()),
        at: model.environment.clock.now(),
        method,
        path,
        params,
        headers: parts.headers,
        status: match &reply {
            Reply::Error(status, _) => Some(*status),
            Reply::Whole(_) | Reply::Streamed(_) => Some(200),
            Reply::Disconnect => None,
        },
        replayed: false,
        faults: actions,
        took: started.elapsed(),
    });
    respond(reply)
}

async fn respond_to(model: &LanguageModel, headers: &HeaderMap, params: &Value, actions: &[Action]) -> Reply {
    match faults::before(actions).await {
        Some(InjectedFailure::CutConnection) => return Reply::Disconnect,
        Some(InjectedFailure::Error { status, body, .. }) => {
            return Reply::Error(status, body.unwrap_or_else(|| outage(status)));
        }
        None => {}
    }
    let completion = match authenticate(&model.api_key, headers).and_then(|()| read(params)) {
        Ok(completion) => completion,
        Err(reply) => return reply,
    };
    let chunks = texts::answer(&completion.instructions, &completion.question);
    let created = model.environment.now();
    if !completion.is_streamed {
        return Reply::Whole(whole(&completion.model, created, &chunks.concat()));
    }
    let stream = ResponseStream::new(&completion.model, created, &chunks, model.pace);
    Reply::Streamed(stream.with_faults(actions))
}

fn authenticate(api_key: &str, headers: &HeaderMap) -> Result<(), Reply> {
    let sent = headers
        .get(header::AUTHORIZATION)
        .and_then(|value| value.to_str().ok())
        .and_then(|value| value.strip_prefix("Bearer "));
    match sent {
        Some(key) if key == api_key => Ok(()),
        Some(_) => Err(Reply::Error(
            401,
            error(
                "invalid_request_error",
                "invalid_api_key",
                "Incorrect API key provided.",
            ),
        )),
        None => Err(Reply::Error(
            401,
            error("invalid_request_error", "", "You didn't provide an API key."),
        )),
    }
}

fn read(params: &Value) -> Result<Completion, Reply> {
    let invalid = |message: &str| Reply::Error(400, error("invalid_request_error", "", message));
    let model = params["model"]
        .as_str()
        .ok_or_else(|| invalid("you must provide a model parameter"))?;
    let messages = params["messages"]
        .as_array()
        .filter(|messages| !messages.is_empty())
        .ok_or_else(|| invalid("Missing required parameter: 'messages'."))?;
    let content_of = |roles: &[&str]| {
        let of_role = messages
            .iter()
            .filter(|message| roles.iter().any(|role| message["role"] == *role));
        let texts: Vec<&str> = of_role
            .filter_map(|message| message["content"].as_str())
            .collect();
        texts.join("\n")
    };
    Ok(Completion {
        model: model.to_owned(),
        instructions: content_of(&["system", "developer"]),
        question: content_of(&["user"]),
        is_streamed: params["stream"] == true,
    })
}

/// `OpenAI`'s error with this status.
fn outage(status: u16) -> Value {
    match status {
        401 => error(
            "invalid_request_error",
            "invalid_api_key",
            "Incorrect API key provided.",
        ),
        429 => error(
            "requests",
            "rate_limit_exceeded",
            "Rate limit reached for requests.",
        ),
        503 => error(
            "server_error",
            "",
            "The engine is currently overloaded, please try again later.",
        ),
        _ => error(
            "server_error",
            "",
            "The server had an error while processing your request.",
        ),
    }
}

fn error(kind: &str, code: &str, message: &str) -> Value {
    let code = Some(code).filter(|code| !code.is_empty());
    json!({ "error": { "message": message, "type": kind, "param": null, "code": code } })
}

fn whole(model: &str, created: i64, text: &str) -> Value {
    json!({
        "id": format!("chatcmpl-{:016x}", rand::random::<u64>()),
        "object": "chat.completion",
        "created": created,
        "model": model,
        "choices": [{
            "index": 0,
            "message": { "role": "assistant", "content": text, "refusal": null },
            "finish_reason": "stop",
        }],
    })
}

fn respond(reply: Reply) -> Response {
    let (status, kind, body) = match reply {
        Reply::Error(status, body) => (status, "application/json", Body::from(body.to_string())),
        Reply::Whole(body) => (200, "application/json", Body::from(body.to_string())),
        Reply::Streamed(stream) => (200, "text/event-stream", Body::from_stream(stream.into_body())),
        Reply::Disconnect => {
            return CutConnection::response();
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
