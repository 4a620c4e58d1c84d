//! Outgoing HTTP calls of a remote API: one connection pool, a timeout within the caller's deadline, a limit of the response
//! body, one metric per call, and errors that say whether the request may have had an effect. Nothing is retried here.

use std::time::Duration;

use metrics::Histogram;
use reqwest::Client;
pub use reqwest::{Error as ClientError, Method, RequestBuilder, Response, StatusCode};
use serde::de::DeserializeOwned;
use tokio::time::{Instant, timeout};
use tracing::Instrument;

use crate::deadline;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);
const IDLE_CONNECTIONS: usize = 32;

/// Shorter than servers keep an idle connection: a request on a closed one has an unknown outcome.
const IDLE_TIMEOUT: Duration = Duration::from_secs(50);

const DEADLINE_PASSED: &str = "the deadline has passed";

pub struct HttpSettings {
    /// Prefix of all paths.
    pub base: String,
    pub user_agent: &'static str,
    /// Of a call with its response body. Of a stream: until its headers, and between two reads.
    pub timeout: Duration,
    pub max_body_bytes: usize,
}

pub struct HttpClient {
    client: Client,
    settings: HttpSettings,
}

/// A response of any status.
#[derive(Clone, Debug)]
pub struct HttpResponse {
    pub status: StatusCode,
    pub body: Vec<u8>,
}

/// There is no response. The text contains neither address nor credentials.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HttpError {
    /// The request surely had no effect: there was no connection, or no time left.
    #[error("not sent: {0}")]
    NotSent(String),
    /// The request may have had its effect. Also of an unreadable response.
    #[error("outcome unknown: {0}")]
    OutcomeUnknown(String),
}

/// The error of a call as its service classifies it.
pub trait CallError: From<HttpError> {
    /// The metric of all calls, in seconds.
    fn histogram(call: &'static str, outcome: &'static str) -> Histogram;

    /// The label `outcome`; it is `ok` without an error.
    fn outcome(&self) -> &'static str;
}

impl From<ClientError> for HttpError {
    fn from(error: ClientError) -> Self {
        let was_sent = !error.is_connect() && !error.is_builder();
        let detail = error.without_url().to_string();
        if was_sent {
            Self::OutcomeUnknown(detail)
        } else {
            Self::NotSent(detail)
        }
    }
}

impl HttpResponse {
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, HttpError> {
        serde_json::from_slice(&self.body)
            .map_err(|error| HttpError::OutcomeUnknown(format!("unreadable: {error}")))
    }
}

impl HttpClient {
    pub fn new(settings: HttpSettings) -> Result<Self, ClientError> {
        let client = Client::builder()
            .connect_timeout(CONNECT_TIMEOUT)
            .read_timeout(settings.timeout)
            .pool_max_idle_per_host(IDLE_CONNECTIONS)
            .pool_idle_timeout(IDLE_TIMEOUT)
            .user_agent(settings.user_agent)
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self { client, settings })
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.settings.base))
    }

    /// `call` is the operation in the metric and the trace. `read` classifies the response, whatever its status.
    pub async fn call<T, E: CallError>(
        &self,
        call: &'static str,
        request: RequestBuilder,
        read: impl FnOnce(HttpResponse) -> Result<T, E>,
    ) -> Result<T, E> {
        let exchange = async {
            let limit = time_left()?.min(self.settings.timeout);
            let response = request.timeout(limit).send().await?;
            self.read_body(response).await
        };
        measure(call, async { read(exchange.await?) }).await
    }

    /// Returns a successful response before its body is read. `refused` reads any other. The caller's deadline ends the wait
    /// for the headers; the body may outlast it.
    pub async fn stream<E: CallError>(
        &self,
        call: &'static str,
        request: RequestBuilder,
        refused: impl FnOnce(HttpResponse) -> E,
    ) -> Result<Response, E> {
        let exchange = async {
            let opened = timeout(time_left()?, self.open(request)).await;
            opened.unwrap_or_else(|_| Err(HttpError::OutcomeUnknown(DEADLINE_PASSED.to_owned())))
        };
        measure(call, async { exchange.await?.map_err(refused) }).await
    }

    /// `Err(HttpResponse)`: read to its end, because it is not successful.
    async fn open(&self, request: RequestBuilder) -> Result<Result<Response, HttpResponse>, HttpError> {
        let response = request.send().await?;
        if response.status().is_success() {
            return Ok(Ok(response));
        }
        self.read_body(response).await.map(Err)
    }

    async fn read_body(&self, mut response: Response) -> Result<HttpResponse, HttpError> {
        let status = response.status();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await? {
            if body.len() + chunk.len() > self.settings.max_body_bytes {
                return Err(HttpError::OutcomeUnknown("the response is too large".to_owned()));
            }
            body.extend_from_slice(&chunk);
        }
        Ok(HttpResponse { status, body })
    }
}

/// Until the caller's deadline. After it, nothing is sent.
fn time_left() -> Result<Duration, HttpError> {
    match deadline::remaining() {
        Some(Duration::ZERO) => Err(HttpError::NotSent(DEADLINE_PASSED.to_owned())),
        left => Ok(left.unwrap_or(Duration::MAX)),
    }
}

async fn measure<T, E: CallError>(
    call: &'static str,
    exchange: impl Future<Output = Result<T, E>>,
) -> Result<T, E> {
    let started = Instant::now();
    let span = tracing::info_span!("http", otel.kind = "client", call);
    let result = exchange.instrument(span).await;
    let outcome = result.as_ref().err().map_or("ok", E::outcome);
    E::histogram(call, outcome).record(started.elapsed().as_secs_f64());
    result
}
