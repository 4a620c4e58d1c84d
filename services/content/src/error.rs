//! What can go wrong, and what the caller is told of it.

use kit::error::{Failure, Kind};

use crate::domain::Fault;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no such page")]
    PageNotFound,
    #[error("neither this locale nor the default one has a navigation and footer")]
    ChromeNotFound,
    #[error("{} faults, the first: {}", .0.len(), .0.first().map(ToString::to_string).unwrap_or_default())]
    Invalid(Vec<Fault>),
    #[error(transparent)]
    Database(#[from] sqlx::Error),
    #[error("row {id} of table {table} cannot be read: {reason}")]
    BrokenRow {
        table: &'static str,
        id: String,
        reason: String,
    },
    #[error("the event cannot be written: {0}")]
    Event(#[from] serde_json::Error),
    #[error("the seed directory cannot be read: {0}")]
    SeedDir(#[from] std::io::Error),
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::PageNotFound => Self::new(Kind::NotFound, "PAGE_NOT_FOUND", "There is no such page."),
            Error::ChromeNotFound => Self::new(
                Kind::NotFound,
                "CHROME_NOT_FOUND",
                "This locale has no navigation and footer.",
            ),
            Error::Invalid(faults) => {
                let failure = Self::new(Kind::Invalid, "VALIDATION_FAILED", "The content has faults.");
                faults.into_iter().fold(failure, |failure, fault| {
                    failure.field(&fault.field, fault.code, fault.message)
                })
            }
            Error::Database(error) if kit::database::is_outage(&error) => {
                tracing::warn!(%error, "the database was not reached");
                Self::unavailable()
            }
            inside => {
                tracing::error!(error = %inside, "a request failed");
                Self::internal()
            }
        }
    }
}

impl From<Error> for tonic::Status {
    fn from(error: Error) -> Self {
        Failure::from(error).into()
    }
}
