//! Errors of the flows. The public failure is apart from the detail in the log.
use kit::bus::BusError;
use kit::error::{ErrorCode, Failure, FieldError, Kind};
use tonic::Status;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("fields are not valid")]
    Invalid(Vec<FieldError>),
    #[error("stream: {0}")]
    Stream(#[from] BusError),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("event: {0}")]
    Event(#[from] serde_json::Error),
}

impl Error {
    /// The code and text that the caller sees.
    fn public_failure(&self) -> Failure {
        match self {
            Self::Invalid(errors) => Failure::fields(errors.clone()),
            Self::Stream(_) => Failure::new(
                Kind::Unavailable,
                ErrorCode::StreamUnavailable,
                "The events could not be stored. Send them again with the same ids.",
            ),
            Self::Database(error) => Failure::of_database(error),
            Self::Event(_) => Failure::internal(),
        }
    }
}

impl From<Error> for Status {
    fn from(error: Error) -> Self {
        error.public_failure().into_status(&error)
    }
}
