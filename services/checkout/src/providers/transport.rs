//! A request to a provider and its answer, and what a failure to get one says about its effect. Nothing is repeated here.

use std::time::Duration;

use kit::money::{Currency, Money};
use reqwest::{Client, Method, RequestBuilder, StatusCode};
use serde::de::DeserializeOwned;
use tokio::time::Instant;
use url::form_urlencoded;

use crate::domain::pricing::seed;
use crate::ports::ProviderError;

const CONNECT_TIMEOUT: Duration = Duration::from_secs(3);

pub struct Transport {
    client: Client,
    api_base: String,
}

pub struct ProviderResponse {
    pub status: StatusCode,
    pub body: Vec<u8>,
}

impl ProviderResponse {
    /// An answer we cannot read is no answer: the effect is there all the same.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, ProviderError> {
        serde_json::from_slice(&self.body)
            .map_err(|error| ProviderError::OutcomeUnknown(format!("unreadable: {error}")))
    }
}

impl Transport {
    pub fn new(api_base: &str, timeout: Duration) -> Result<Self, reqwest::Error> {
        let client = Client::builder()
            .timeout(timeout)
            .connect_timeout(CONNECT_TIMEOUT)
            .user_agent(concat!("stillpoint-checkout/", env!("CARGO_PKG_VERSION")))
            .redirect(reqwest::redirect::Policy::none())
            .build()?;
        Ok(Self {
            client,
            api_base: api_base.trim_end_matches('/').to_owned(),
        })
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.client.request(method, format!("{}{path}", self.api_base))
    }

    /// `refused` reads what an answer without success says.
    pub async fn send(
        &self,
        call: &'static str,
        request: RequestBuilder,
        refused: fn(&ProviderResponse) -> ProviderError,
    ) -> Result<ProviderResponse, ProviderError> {
        let started = Instant::now();
        let outcome = match answer(request).await {
            Ok(answered) if !answered.status.is_success() => Err(refused(&answered)),
            outcome => outcome,
        };
        let label = match &outcome {
            Ok(_) => "ok",
            Err(ProviderError::Declined(_)) => "declined",
            Err(ProviderError::Rejected { .. }) => "rejected",
            Err(ProviderError::NotFound) => "not_found",
            Err(ProviderError::NotConfigured(_)) => "not_configured",
            Err(ProviderError::NotSent(_)) => "unreached",
            Err(ProviderError::InProgress) => "in_progress",
            Err(ProviderError::OutcomeUnknown(_)) => "no_answer",
        };
        metrics::histogram!("checkout_provider_seconds", "call" => call, "outcome" => label)
            .record(started.elapsed().as_secs_f64());
        outcome
    }
}

async fn answer(request: RequestBuilder) -> Result<ProviderResponse, ProviderError> {
    let response = request.send().await.map_err(unanswered)?;
    let status = response.status();
    let body = response.bytes().await.map_err(unanswered)?;
    Ok(ProviderResponse {
        status,
        body: body.to_vec(),
    })
}

fn unanswered(error: reqwest::Error) -> ProviderError {
    let connected = !error.is_connect();
    let detail = error.without_url().to_string();
    if connected {
        ProviderError::OutcomeUnknown(detail)
    } else {
        ProviderError::NotSent(detail)
    }
}

/// What a status alone says, where the body says no more.
pub fn by_status(status: StatusCode, code: &str, detail: String) -> ProviderError {
    match status {
        StatusCode::NOT_FOUND => ProviderError::NotFound,
        StatusCode::UNAUTHORIZED
        | StatusCode::FORBIDDEN
        | StatusCode::TOO_MANY_REQUESTS
        | StatusCode::SERVICE_UNAVAILABLE => ProviderError::NotSent(format!("{status} {code}: {detail}")),
        StatusCode::CONFLICT => ProviderError::InProgress,
        status if status.is_client_error() => ProviderError::Rejected {
            code: code.to_ascii_lowercase(),
            detail,
        },
        status => ProviderError::OutcomeUnknown(format!("{status} {code}: {detail}")),
    }
}

/// An amount in major units, as these providers write them.
pub fn money(value: &str, code: &str) -> Result<Money, ProviderError> {
    let unreadable = || ProviderError::OutcomeUnknown(format!("an amount of {value:?} {code:?}"));
    let currency = Currency::parse(code).map_err(|_| unreadable())?;
    seed::amount(value, currency).ok_or_else(unreadable)
}

/// An id from outside must not reach another path.
pub fn path_segment(id: &str) -> String {
    form_urlencoded::byte_serialize(id.as_bytes()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn amounts_are_read_in_the_decimals_of_their_currency() {
        let minor = |value, code| money(value, code).map(|money| money.minor);
        assert_eq!(minor("499.00", "RUB"), Ok(49_900));
        assert_eq!(minor("1500", "JPY"), Ok(1500));
        assert!(minor("4.9.9", "RUB").is_err() && minor("5.00", "rub").is_err());
    }

    #[test]
    fn a_status_says_whether_anything_may_have_happened() {
        let read = |status: u16| by_status(StatusCode::from_u16(status).unwrap(), "CODE", String::new());
        assert!(matches!(read(500), ProviderError::OutcomeUnknown(_)));
        assert!(matches!(read(503), ProviderError::NotSent(_)));
        assert!(matches!(read(422), ProviderError::Rejected { .. }));
        assert_eq!(read(404), ProviderError::NotFound);
    }
}
