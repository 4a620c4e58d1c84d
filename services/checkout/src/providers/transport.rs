//! Calls of payment providers, and what a response without success says about its effect.

use std::time::Duration;

use kit::http::{
    CallError, ClientError, HttpClient, HttpError, HttpResponse, HttpSettings, Method, RequestBuilder,
    StatusCode,
};
use kit::money::{Currency, Money};
use metrics::Histogram;
use url::form_urlencoded;

use crate::domain::pricing::seed;
use crate::ports::ProviderError;

/// A page of a hundred objects takes less.
const RESPONSE_MAX_BYTES: usize = 8 * 1024 * 1024;

pub struct Transport(HttpClient);

impl Transport {
    pub fn new(api_base: &str, timeout: Duration) -> Result<Self, ClientError> {
        let settings = HttpSettings {
            base: api_base.trim_end_matches('/').to_owned(),
            user_agent: concat!("stillpoint-checkout/", env!("CARGO_PKG_VERSION")),
            timeout,
            max_body_bytes: RESPONSE_MAX_BYTES,
        };
        HttpClient::new(settings).map(Self)
    }

    pub fn request(&self, method: Method, path: &str) -> RequestBuilder {
        self.0.request(method, path)
    }

    /// `refused` classifies a response without success.
    pub async fn send(
        &self,
        call: &'static str,
        request: RequestBuilder,
        refused: fn(&HttpResponse) -> ProviderError,
    ) -> Result<HttpResponse, ProviderError> {
        let read = |response: HttpResponse| {
            if response.status.is_success() {
                Ok(response)
            } else {
                Err(refused(&response))
            }
        };
        self.0.call(call, request, read).await
    }
}

impl From<HttpError> for ProviderError {
    fn from(error: HttpError) -> Self {
        match error {
            HttpError::NotSent(detail) => Self::NotSent(detail),
            HttpError::OutcomeUnknown(detail) => Self::OutcomeUnknown(detail),
        }
    }
}

impl CallError for ProviderError {
    fn histogram(call: &'static str, outcome: &'static str) -> Histogram {
        metrics::histogram!("checkout_provider_seconds", "call" => call, "outcome" => outcome)
    }

    fn outcome(&self) -> &'static str {
        match self {
            Self::Declined(_) => "declined",
            Self::Rejected { .. } => "rejected",
            Self::NotFound => "not_found",
            Self::NotConfigured(_) => "not_configured",
            Self::Unsupported(..) => "unsupported",
            Self::NotSent(_) => "unreached",
            Self::InProgress => "in_progress",
            Self::OutcomeUnknown(_) => "no_answer",
        }
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
