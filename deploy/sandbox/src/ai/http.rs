//! A request's way: key, body, faults before, the words themselves, faults in the middle.

use std::{sync::Arc, time::Duration};

use axum::{
    body::{Body, to_bytes},
    extract::{Request, State},
    http::{HeaderMap, HeaderValue, StatusCode, header},
    response::Response,
};
use serde_json::{Value, json};

use super::{script::Script, words};
use crate::{faults::Action, journal::Entry, server::CutConnection, world::World};

const BODY_MAX: usize = 1024 * 1024;

enum Reply {
    Error(u16, Value),
    Whole(Value),
    Streamed(Script),
    Cut,
}

/// What is asked of the model.
struct Ask {
    model: String,
    instructions: String,
    question: String,
    is_streamed: bool,
}

pub async fn complete(State(world): State<Arc<World>>, request: Request) -> Response {
    let began = std::time::Instant::now();
    let (parts, body) = request.into_parts();
    let (method, path) = (parts.method.as_str().to_owned(), parts.uri.path().to_owned());
    let body = to_bytes(body, BODY_MAX).await.unwrap_or_default();
    let params: Value = serde_json::from_slice(&body).unwrap_or_default();
    let actions = world.faults.strike_request(&method, &path);
    let reply = answer(&world, &parts.headers, &params, &actions).await;

    world.journal.record(Entry {
        id: format!("req_{:016x}", rand::random::<u64>()),
        at: world.clock.now(),
        method,
        path,
        params,
        headers: parts.headers,
        status: match &reply {
            Reply::Error(status, _) => Some(*status),
            Reply::Whole(_) | Reply::Streamed(_) => Some(200),
            Reply::Cut => None,
        },
        replayed: false,
        faults: actions,
        took: began.elapsed(),
    });
    respond(reply)
}

async fn answer(world: &World, headers: &HeaderMap, params: &Value, actions: &[Action]) -> Reply {
    for action in actions {
        match action {
            Action::DelayBefore { ms } => tokio::time::sleep(Duration::from_millis(*ms)).await,
            Action::DropBefore {} => return Reply::Cut,
            Action::Error { status, body, .. } => {
                return Reply::Error(*status, body.clone().unwrap_or_else(|| outage(*status)));
            }
            _ => {}
        }
    }
    let ask = match authenticate(&world.model.api_key, headers).and_then(|()| read(params)) {
        Ok(ask) => ask,
        Err(reply) => return reply,
    };
    let pieces = words::for_question(&ask.instructions, &ask.question);
    let created = world.clock.now().timestamp();
    if !ask.is_streamed {
        return Reply::Whole(whole(&ask.model, created, &pieces.concat()));
    }
    Reply::Streamed(Script::new(&ask.model, created, &pieces, world.model.pace).suffering(actions))
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

fn read(params: &Value) -> Result<Ask, Reply> {
    let refuse = |message: &str| Reply::Error(400, error("invalid_request_error", "", message));
    let model = params["model"]
        .as_str()
        .ok_or_else(|| refuse("you must provide a model parameter"))?;
    let messages = params["messages"]
        .as_array()
        .filter(|messages| !messages.is_empty())
        .ok_or_else(|| refuse("Missing required parameter: 'messages'."))?;
    let said_by = |roles: &[&str]| {
        let of_role = messages
            .iter()
            .filter(|message| roles.iter().any(|role| message["role"] == *role));
        let texts: Vec<&str> = of_role
            .filter_map(|message| message["content"].as_str())
            .collect();
        texts.join("\n")
    };
    Ok(Ask {
        model: model.to_owned(),
        instructions: said_by(&["system", "developer"]),
        question: said_by(&["user"]),
        is_streamed: params["stream"] == true,
    })
}

/// As the provider would say it.
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
        Reply::Streamed(script) => (200, "text/event-stream", Body::from_stream(script.play())),
        Reply::Cut => {
            let mut response = Response::new(Body::empty());
            response.extensions_mut().insert(CutConnection);
            return response;
        }
    };
    let mut response = Response::new(body);
    *response.status_mut() = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    let headers = response.headers_mut();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(kind));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-cache"));
    response
}
