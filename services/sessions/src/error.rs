//! Why a request was not answered as asked: what the caller may know, apart from what the operator reads in the log.
use std::time::Duration;

use kit::database::is_outage;
use kit::error::{Failure, FieldFault, Kind};
use kit::idempotency;
use tonic::Status;

/// Long enough for a text to be finished.
const MOMENT: Duration = Duration::from_secs(3);

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("fields are not valid")]
    Invalid(Vec<FieldFault>),
    #[error("the idempotency key was used for another question")]
    IdempotencyConflict,
    #[error("there is no such reply to this question")]
    UnknownReply,
    #[error("as many texts are being written or read as we can")]
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
    /// What the caller may know.
    fn outside(&self) -> Failure {
        match self {
            Self::Invalid(faults) => Failure::fields(faults.clone()),
            Self::IdempotencyConflict => idempotency::conflict(),
            Self::UnknownReply => Failure::new(
                Kind::NotFound,
                "UNKNOWN_REPLY",
                "There is no such reply any more. Ask again.",
            ),
            Self::Overloaded => Failure::new(
                Kind::Unavailable,
                "OVERLOADED",
                "Many texts are being written. Try again in a moment.",
            )
            .retry_after(MOMENT),
            Self::Stopping => Failure::unavailable(),
            Self::Database(fault) if is_outage(fault) => Failure::unavailable(),
            Self::Database(_) | Self::Event(_) | Self::Inconsistent { .. } => Failure::internal(),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        let failure = error.outside();
        if matches!(failure.kind, Kind::Internal | Kind::Unavailable) {
            tracing::error!(%error, "request failed");
        }
        failure.into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_caller_that_comes_too_many_learns_when_to_come_back() {
        let failure = Error::Overloaded.outside();
        assert_eq!(
            (failure.code.as_str(), failure.retry_after),
            ("OVERLOADED", Some(MOMENT))
        );
    }

    #[test]
    fn inside_detail_stays_inside() {
        let error = Error::Database(sqlx::Error::Protocol("host 10.0.0.7".to_owned()));
        assert_eq!(error.outside(), Failure::internal());
    }
}
