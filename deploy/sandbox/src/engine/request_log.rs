//! The last thousand API requests of the product, without secrets.

use std::{
    collections::VecDeque,
    sync::{Mutex, MutexGuard, PoisonError},
    time::Duration,
};

use axum::http::HeaderMap;
use chrono::{DateTime, Utc};
use serde::Serialize;
use serde_json::Value;

use super::faults::Action;

const REQUESTS_MAX: usize = 1_000;
const LOGGED_HEADERS: [&str; 7] = [
    "idempotency-key",
    "idempotence-key",
    "paypal-request-id",
    "stripe-version",
    "user-agent",
    "content-type",
    "traceparent",
];
const SECRETS: [&str; 7] = [
    "number",
    "cvc",
    "client_secret",
    "key",
    "password",
    "secret",
    "token",
];

/// A handled request, before redaction.
pub struct HandledRequest {
    pub id: String,
    pub at: DateTime<Utc>,
    pub method: String,
    pub path: String,
    pub params: Value,
    pub headers: HeaderMap,
    /// `None` if a fault cut the connection.
    pub status: Option<u16>,
    pub replayed: bool,
    pub faults: Vec<Action>,
    pub took: Duration,
}

#[derive(Clone, Debug, Serialize)]
pub struct LoggedRequest {
    pub id: String,
    pub at: DateTime<Utc>,
    pub method: String,
    pub path: String,
    pub params: Value,
    pub headers: Value,
    pub status: Option<u16>,
    pub replayed: bool,
    pub faults: Vec<Action>,
    pub took_micros: u64,
}

#[derive(Default)]
pub struct RequestLog {
    requests: Mutex<VecDeque<LoggedRequest>>,
}

impl RequestLog {
    pub fn record(&self, request: HandledRequest) {
        let logged = LoggedRequest {
            id: request.id,
            at: request.at,
            method: request.method,
            path: request.path,
            params: redacted(request.params),
            headers: logged_headers(&request.headers),
            status: request.status,
            replayed: request.replayed,
            faults: request.faults,
            took_micros: u64::try_from(request.took.as_micros()).unwrap_or(u64::MAX),
        };
        let mut requests = self.requests();
        requests.push_back(logged);
        if requests.len() > REQUESTS_MAX {
            requests.pop_front();
        }
    }

    /// Oldest first.
    pub fn list(&self) -> Vec<LoggedRequest> {
        self.requests().iter().cloned().collect()
    }

    pub fn clear(&self) {
        self.requests().clear();
    }

    fn requests(&self) -> MutexGuard<'_, VecDeque<LoggedRequest>> {
        self.requests.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn redacted(value: Value) -> Value {
    let Value::Object(fields) = value else {
        return value;
    };
    let fields = fields.into_iter().map(|(name, value)| {
        let value = match value {
            Value::String(text) if SECRETS.contains(&name.as_str()) => hidden(&text).into(),
            value => redacted(value),
        };
        (name, value)
    });
    Value::Object(fields.collect())
}

/// Only the end is left, and of what is short nothing.
fn hidden(secret: &str) -> String {
    let length = secret.chars().count();
    let tail: String = secret
        .chars()
        .skip(if length > 8 { length - 4 } else { length })
        .collect();
    format!("…{tail}")
}

fn logged_headers(headers: &HeaderMap) -> Value {
    let shown = LOGGED_HEADERS.into_iter().filter_map(|name| {
        let value = headers.get(name)?.to_str().ok()?;
        Some((name.to_owned(), Value::from(value)))
    });
    Value::Object(shown.collect())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn card_data_and_secrets_are_hidden_at_any_depth() {
        let sent = json!({"card": {"number": "4242424242424242", "cvc": "123"}, "client_secret": "pi_1_secret_abcd"});
        let expected = json!({"card": {"number": "…4242", "cvc": "…"}, "client_secret": "…abcd"});
        assert_eq!(redacted(sent), expected);
    }
}
