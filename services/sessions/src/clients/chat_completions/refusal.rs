//! What a refusal says about trying again.
use reqwest::StatusCode;

use super::wire::{ErrorBody, ErrorObject};
use crate::ports::WriterError;

pub fn of_status(status: StatusCode, body: &[u8]) -> WriterError {
    let name =
        serde_json::from_slice(body).map_or_else(|_| String::new(), |body: ErrorBody| body.error.name());
    let code = format!("{} {name}", status.as_u16()).trim_end().to_owned();
    match status {
        StatusCode::BAD_REQUEST if name == "content_policy_violation" || name == "content_filter" => {
            WriterError::Declined
        }
        // The same status as for too many requests, and no waiting will mend it.
        _ if name == "insufficient_quota" => WriterError::Refused { code },
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => WriterError::Busy(code),
        _ if status.is_server_error() => WriterError::Unreached(code),
        _ => WriterError::Refused { code },
    }
}

/// In the middle of a stream, where there is no status.
pub fn of_error(error: &ErrorObject) -> WriterError {
    match error.name() {
        name if name == "rate_limit_exceeded" || name == "429" => WriterError::Busy(name),
        name => WriterError::BrokenOff(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(status: u16, body: &str) -> WriterError {
        of_status(StatusCode::from_u16(status).unwrap(), body.as_bytes())
    }

    #[test]
    fn only_what_may_pass_is_told_so() {
        let key = r#"{"error":{"message":"Incorrect API key provided: sk-1","type":"invalid_request_error","code":"invalid_api_key"}}"#;
        let refused = WriterError::Refused {
            code: "401 invalid_api_key".to_owned(),
        };
        assert_eq!(of(401, key), refused);
        assert!(matches!(of(429, "{}"), WriterError::Busy(_)));
        assert!(matches!(of(503, "<html>"), WriterError::Busy(_)));
        assert!(matches!(of(500, ""), WriterError::Unreached(_)));
        let quota = r#"{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}"#;
        assert!(matches!(of(429, quota), WriterError::Refused { .. }));
        let policy = r#"{"error":{"type":"invalid_request_error","code":"content_policy_violation"}}"#;
        assert_eq!(of(400, policy), WriterError::Declined);
    }
}
