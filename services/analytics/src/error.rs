//! Why a request was not answered as asked: what the caller may know, apart from what the operator reads in the log.
use kit::bus::BusError;
use kit::database::is_outage;
use kit::error::{Failure, FieldFault, Kind};
use tonic::Status;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("fields are not valid")]
    Invalid(Vec<FieldFault>),
    #[error("stream: {0}")]
    Stream(#[from] BusError),
    #[error("database: {0}")]
    Database(#[from] sqlx::Error),
    #[error("event: {0}")]
    Event(#[from] serde_json::Error),
}

impl Error {
    /// What the caller may know.
    fn outside(&self) -> Failure {
        match self {
            Self::Invalid(faults) => Failure::fields(faults.clone()),
            Self::Stream(_) => Failure::new(
                Kind::Unavailable,
                "STREAM_UNAVAILABLE",
                "The events could not be stored. Send them again with the same ids.",
            ),
            Self::Database(fault) if is_outage(fault) => Failure::unavailable(),
            Self::Database(_) | Self::Event(_) => Failure::internal(),
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
