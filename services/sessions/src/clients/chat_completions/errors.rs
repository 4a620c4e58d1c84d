//! Classifies error responses of the provider as retryable or final.
use kit::http::StatusCode;

use super::wire::{ErrorBody, ErrorObject};
use crate::ports::ModelError;

pub fn from_status(status: StatusCode, body: &[u8]) -> ModelError {
    let name =
        serde_json::from_slice(body).map_or_else(|_| String::new(), |body: ErrorBody| body.error.name());
    let code = format!("{} {name}", status.as_u16()).trim_end().to_owned();
    match status {
        StatusCode::BAD_REQUEST if name == "content_policy_violation" || name == "content_filter" => {
            ModelError::Declined
        }
        // Same status as rate limiting, but a retry does not help.
        _ if name == "insufficient_quota" => ModelError::Rejected { code },
        StatusCode::TOO_MANY_REQUESTS | StatusCode::SERVICE_UNAVAILABLE => ModelError::Busy(code),
        _ if status.is_server_error() => ModelError::Unreachable(code),
        _ => ModelError::Rejected { code },
    }
}

/// For an error within a stream, where there is no status.
pub fn from_error(error: &ErrorObject) -> ModelError {
    match error.name() {
        name if name == "rate_limit_exceeded" || name == "429" => ModelError::Busy(name),
        name => ModelError::Incomplete(name),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn classify(status: u16, body: &str) -> ModelError {
        from_status(StatusCode::from_u16(status).unwrap(), body.as_bytes())
    }

    #[test]
    fn only_transient_errors_are_retryable() {
        let key = r#"{"error":{"message":"Incorrect API key provided: sk-1","type":"invalid_request_error","code":"invalid_api_key"}}"#;
        let refused = ModelError::Rejected {
            code: "401 invalid_api_key".to_owned(),
        };
        assert_eq!(classify(401, key), refused);
        assert!(matches!(classify(429, "{}"), ModelError::Busy(_)));
        assert!(matches!(classify(503, "<html>"), ModelError::Busy(_)));
        assert!(matches!(classify(500, ""), ModelError::Unreachable(_)));
        let quota = r#"{"error":{"type":"insufficient_quota","code":"insufficient_quota"}}"#;
        assert!(matches!(classify(429, quota), ModelError::Rejected { .. }));
        let policy = r#"{"error":{"type":"invalid_request_error","code":"content_policy_violation"}}"#;
        assert_eq!(classify(400, policy), ModelError::Declined);
    }
}
