//! Stripe's error bodies, sorted by what they say about the effect of the call.

use kit::http::{HttpResponse, StatusCode};
use serde::Deserialize;

use crate::domain::payment::Decline;
use crate::ports::ProviderError;

#[derive(Debug, Default, Deserialize)]
pub struct ErrorBody {
    #[serde(default, rename = "type")]
    pub kind: String,
    pub code: Option<String>,
    pub decline_code: Option<String>,
    pub message: Option<String>,
}

#[derive(Default, Deserialize)]
struct Envelope {
    error: ErrorBody,
}

impl ErrorBody {
    /// The most specific code: `insufficient_funds` rather than `card_declined`.
    pub fn decline(&self) -> Decline {
        let particular = self
            .decline_code
            .as_deref()
            .filter(|code| *code != "generic_decline");
        let code = particular.or(self.code.as_deref()).unwrap_or("card_declined");
        let message = self.message.as_deref().unwrap_or("Your card was declined.");
        Decline {
            code: code.to_owned(),
            message: message.to_owned(),
        }
    }
}

pub fn read(response: &HttpResponse) -> ProviderError {
    let status = response.status;
    let error = serde_json::from_slice::<Envelope>(&response.body)
        .unwrap_or_default()
        .error;
    let code = error.code.clone().unwrap_or_else(|| error.kind.clone());
    let detail = format!("{} {code}", status.as_u16());
    match status {
        _ if error.kind == "card_error" => ProviderError::Declined(error.decline()),
        // Rejected before the idempotency key was checked.
        StatusCode::UNAUTHORIZED | StatusCode::FORBIDDEN | StatusCode::TOO_MANY_REQUESTS => {
            ProviderError::NotSent(detail)
        }
        StatusCode::CONFLICT if error.kind == "idempotency_error" => ProviderError::InProgress,
        // The key was used, with other words: what the first request did is not said.
        _ if error.kind == "idempotency_error" => ProviderError::OutcomeUnknown(detail),
        StatusCode::NOT_FOUND => ProviderError::NotFound,
        status if status.is_client_error() => ProviderError::Rejected {
            code,
            detail: error.message.unwrap_or(detail),
        },
        _ => ProviderError::OutcomeUnknown(detail),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(status: u16, body: &str, expected: &ProviderError) {
        let response = HttpResponse {
            status: StatusCode::from_u16(status).unwrap(),
            body: body.into(),
        };
        assert_eq!(read(&response), *expected);
    }

    fn declined(code: &str) -> ProviderError {
        ProviderError::Declined(Decline {
            code: code.into(),
            message: "No.".into(),
        })
    }

    #[test]
    fn decline_has_the_most_telling_code() {
        let body = |code: &str, decline: &str| {
            format!(
                r#"{{"error":{{"type":"card_error","code":"{code}","decline_code":"{decline}","message":"No."}}}}"#
            )
        };
        check(
            402,
            &body("card_declined", "generic_decline"),
            &declined("card_declined"),
        );
        check(
            402,
            &body("card_declined", "insufficient_funds"),
            &declined("insufficient_funds"),
        );
        check(
            402,
            r#"{"error":{"type":"card_error","code":"expired_card","message":"No."}}"#,
            &declined("expired_card"),
        );
    }

    #[test]
    fn failures_are_sorted_by_their_effect() {
        check(500, "<html>", &ProviderError::OutcomeUnknown("500 ".into()));
        let key_trouble = r#"{"error":{"type":"idempotency_error"}}"#;
        check(409, key_trouble, &ProviderError::InProgress);
        check(
            400,
            key_trouble,
            &ProviderError::OutcomeUnknown("400 idempotency_error".into()),
        );
        check(
            429,
            r#"{"error":{"code":"rate_limit"}}"#,
            &ProviderError::NotSent("429 rate_limit".into()),
        );
        check(401, "{}", &ProviderError::NotSent("401 ".into()));
        check(404, "{}", &ProviderError::NotFound);
        check(
            400,
            r#"{"error":{"type":"invalid_request_error","code":"parameter_missing","message":"customer"}}"#,
            &ProviderError::Rejected {
                code: "parameter_missing".into(),
                detail: "customer".into(),
            },
        );
    }
}
