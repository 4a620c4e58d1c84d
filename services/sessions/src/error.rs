//! Errors of the flows. The public failure is apart from the detail in the log.
use std::time::Duration;

use kit::error::{ErrorCode, Failure, FieldError, Kind};
use kit::idempotency;
use tonic::Status;

/// About the time to generate one text.
const OVERLOAD_RETRY_AFTER: Duration = Duration::from_secs(3);

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("fields are not valid")]
    Invalid(Vec<FieldError>),
    #[error("the idempotency key belongs to another question")]
    IdempotencyConflict,
    #[error("no reply to this question has this id")]
    UnknownReply,
    #[error("too many texts are being generated or read")]
    Overloaded,
    #[error("the process is stopping")]
    Stopping,
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("event: {0}")]
    Event(#[from] serde_json::Error),
    #[error("ai_reply.{column} of {reply_id} makes no sense")]
    Inconsistent { column: &'static str, reply_id: String },
}

impl Error {
    /// The code and text that the caller sees.
    fn public_failure(&self) -> Failure {
        match self {
            Self::Invalid(errors) => Failure::fields(errors.clone()),
            Self::IdempotencyConflict => idempotency::Rejection::Conflict.into(),
            Self::UnknownReply => Failure::new(
                Kind::NotFound,
                ErrorCode::UnknownReply,
                "There is no such reply any more. Ask again.",
            ),
            Self::Overloaded => Failure::new(
                Kind::Unavailable,
                ErrorCode::Overloaded,
                "Many texts are being written. Try again in a moment.",
            )
            .retry_after(OVERLOAD_RETRY_AFTER),
            Self::Stopping => Failure::unavailable(),
            Self::Database(error) => Failure::of_database(error),
            Self::Event(_) | Self::Inconsistent { .. } => Failure::internal(),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        error.public_failure().into_status(&error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn overload_has_a_retry_after() {
        let failure = Error::Overloaded.public_failure();
        assert_eq!(
            (failure.code.as_str(), failure.retry_after),
            ("OVERLOADED", Some(OVERLOAD_RETRY_AFTER))
        );
    }

    #[test]
    fn database_detail_is_not_public() {
        let error = Error::Database(sqlx::Error::Protocol("host 10.0.0.7".to_owned()));
        assert_eq!(error.public_failure(), Failure::internal());
    }
}
