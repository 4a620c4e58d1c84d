//! Outgoing HTTP calls: what is known of their effect, limits, and the metric of each.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::routing::get;
use kit::deadline;
use kit::http::{CallError, HttpClient, HttpError, HttpResponse, HttpSettings, Method, StatusCode};
use metrics::Histogram;
use tokio::net::TcpListener;

const BODY_MAX: usize = 64;

static MEASURED: Mutex<Vec<(&str, &str)>> = Mutex::new(Vec::new());

#[derive(Debug, PartialEq, Eq)]
enum Error {
    Http(HttpError),
    Refused(StatusCode, String),
}

impl From<HttpError> for Error {
    fn from(error: HttpError) -> Self {
        Self::Http(error)
    }
}

impl CallError for Error {
    fn histogram(call: &'static str, outcome: &'static str) -> Histogram {
        let mut measured = MEASURED.lock().unwrap_or_else(PoisonError::into_inner);
        measured.push((call, outcome));
        Histogram::noop()
    }

    fn outcome(&self) -> &'static str {
        match self {
            Self::Http(HttpError::NotSent(_)) => "not_sent",
            Self::Http(HttpError::OutcomeUnknown(_)) => "unknown",
            Self::Refused(..) => "refused",
        }
    }
}

fn outcomes_of(call: &str) -> Vec<&'static str> {
    let measured = MEASURED.lock().unwrap();
    let of_call = measured.iter().filter(|(measured, _)| *measured == call);
    of_call.map(|(_, outcome)| *outcome).collect()
}

fn client(base: String, timeout: Duration) -> HttpClient {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let settings = HttpSettings {
        base,
        user_agent: "test",
        timeout,
        max_body_bytes: BODY_MAX,
    };
    HttpClient::new(settings).unwrap()
}

async fn listener() -> (TcpListener, String) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    (listener, base)
}

async fn serve() -> HttpClient {
    let (listener, base) = listener().await;
    let routes = Router::new()
        .route("/small", get(async || r#"{"answer":42}"#))
        .route("/large", get(async || "x".repeat(BODY_MAX + 1)))
        .route("/refused", get(async || (StatusCode::CONFLICT, "taken")));
    tokio::spawn(async move { axum::serve(listener, routes).await });
    client(base, Duration::from_secs(30))
}

async fn call(client: &HttpClient, name: &'static str, path: &str) -> Result<serde_json::Value, Error> {
    let request = client.request(Method::GET, path);
    let read = |response: HttpResponse| {
        if response.status.is_success() {
            return Ok(response.json()?);
        }
        let body = String::from_utf8_lossy(&response.body).into_owned();
        Err(Error::Refused(response.status, body))
    };
    client.call(name, request, read).await
}

fn is_unknown<T>(result: &Result<T, Error>) -> bool {
    matches!(result, Err(Error::Http(HttpError::OutcomeUnknown(_))))
}

#[tokio::test]
async fn response_is_read_with_its_status_and_measured() {
    let client = serve().await;
    assert_eq!(call(&client, "read", "/small").await.unwrap()["answer"], 42);
    let refused = Error::Refused(StatusCode::CONFLICT, "taken".to_owned());
    assert_eq!(call(&client, "read", "/refused").await, Err(refused));
    assert!(is_unknown(&call(&client, "read", "/large").await));
    assert_eq!(outcomes_of("read"), ["ok", "refused", "unknown"]);
}

#[tokio::test]
async fn stream_returns_a_success_before_its_body_and_reads_a_refusal() {
    let client = serve().await;
    let refused = |response: HttpResponse| Error::Refused(response.status, String::new());
    let request = client.request(Method::GET, "/large");
    let response = client.stream("stream", request, refused).await.unwrap();
    assert_eq!(response.bytes().await.unwrap().len(), BODY_MAX + 1);
    let request = client.request(Method::GET, "/refused");
    let error = client.stream("stream", request, refused).await.err();
    assert_eq!(error, Some(Error::Refused(StatusCode::CONFLICT, String::new())));
    assert_eq!(outcomes_of("stream"), ["ok", "refused"]);
}

#[tokio::test]
async fn call_without_a_connection_was_not_sent() {
    let (unused, base) = listener().await;
    drop(unused);
    let result = call(&client(base, Duration::from_secs(30)), "unreached", "/").await;
    assert!(
        matches!(result, Err(Error::Http(HttpError::NotSent(_)))),
        "{result:?}"
    );
    let malformed = client("http://[".to_owned(), Duration::from_secs(30));
    let result = call(&malformed, "unreached", "/").await;
    assert!(
        matches!(result, Err(Error::Http(HttpError::NotSent(_)))),
        "{result:?}"
    );
}

#[tokio::test]
async fn connection_without_a_response_is_an_unknown_outcome() {
    let (closing, base) = listener().await;
    tokio::spawn(async move {
        loop {
            drop(closing.accept().await);
        }
    });
    let closed = call(&client(base, Duration::from_secs(30)), "closed", "/").await;
    assert!(is_unknown(&closed), "{closed:?}");

    let (_silent, base) = listener().await;
    let timed_out = call(&client(base, Duration::from_millis(50)), "silent", "/").await;
    assert!(is_unknown(&timed_out), "{timed_out:?}");
}

#[tokio::test]
async fn call_after_the_deadline_is_not_sent() {
    let (_silent, base) = listener().await;
    let client = client(base, Duration::from_secs(30));
    let late = deadline::within(Duration::ZERO, call(&client, "late", "/")).await;
    assert!(
        matches!(late, Ok(Err(Error::Http(HttpError::NotSent(_))))),
        "{late:?}"
    );
    let request = client.request(Method::GET, "/");
    let refused = |response: HttpResponse| Error::Refused(response.status, String::new());
    let stream = client.stream("late_stream", request, refused);
    let late = deadline::within(Duration::ZERO, stream)
        .await
        .map(|opened| opened.map(drop));
    assert!(
        matches!(late, Ok(Err(Error::Http(HttpError::NotSent(_))))),
        "{late:?}"
    );
    assert_eq!(outcomes_of("late_stream"), ["not_sent"]);
}
