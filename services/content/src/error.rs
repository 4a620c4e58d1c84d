//! Errors of content and their public form.

use std::sync::Arc;

use kit::error::{ErrorCode, Failure, FieldError, Kind};
use kit::idempotency;

use crate::domain::{ChangeKind, Stale, StaleCause, Unreadable, ValidationError, shortened};

/// Status details travel in headers: the list of changes is truncated to this size.
const LISTED_CHANGES_MAX: usize = 20;
const LISTED_VALUE_MAX: usize = 80;

#[derive(Debug, thiserror::Error)]
pub enum Error {
    #[error("there is no such {0}")]
    NotFound(NotFoundKind),
    #[error("neither this locale nor the default one has a navigation and footer")]
    ChromeNotFound,
    #[error("{} errors, the first: {}", .0.len(), .0.first().map(ToString::to_string).unwrap_or_default())]
    Invalid(Vec<ValidationError>),
    #[error("the revision is stale")]
    Stale(Box<Stale>),
    #[error("the release is published already")]
    ReleasePublished,
    #[error(transparent)]
    Idempotency(#[from] idempotency::Rejection),
    /// Shared by all whose pages were asked for in one statement.
    #[error(transparent)]
    Database(Arc<sqlx::Error>),
    #[error("what was read in a statement with others was lost")]
    ReadingEnded,
    #[error("row {id} of table {table} cannot be read: {reason}")]
    BrokenRow {
        table: &'static str,
        id: String,
        reason: String,
    },
    #[error("what is stored cannot be read: {0}")]
    Unreadable(#[from] Unreadable),
    #[error("cannot be written as JSON: {0}")]
    Json(#[from] serde_json::Error),
    #[error("the seed directory cannot be read: {0}")]
    SeedDir(#[from] std::io::Error),
}

impl From<sqlx::Error> for Error {
    fn from(error: sqlx::Error) -> Self {
        Self::Database(Arc::new(error))
    }
}

/// Kind of the missing object.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotFoundKind {
    Page,
    Record,
    Draft,
    Version,
    Release,
    Schedule,
    Preview,
}

impl NotFoundKind {
    fn code(self) -> ErrorCode {
        match self {
            Self::Page => ErrorCode::PageNotFound,
            Self::Record => ErrorCode::RecordNotFound,
            Self::Draft => ErrorCode::DraftNotFound,
            Self::Version => ErrorCode::VersionNotFound,
            Self::Release => ErrorCode::ReleaseNotFound,
            Self::Schedule => ErrorCode::ScheduleNotFound,
            Self::Preview => ErrorCode::PreviewNotFound,
        }
    }
}

impl std::fmt::Display for NotFoundKind {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self {
            Self::Page => "page",
            Self::Record => "record",
            Self::Draft => "draft",
            Self::Version => "version",
            Self::Release => "release",
            Self::Schedule => "schedule",
            Self::Preview => "preview",
        })
    }
}

impl Error {
    /// Validation errors; `Err` for all other errors.
    pub fn into_errors(self) -> Result<Vec<ValidationError>, Self> {
        match self {
            Self::Invalid(errors) => Ok(errors),
            Self::NotFound(NotFoundKind::Draft) => Ok(vec![ValidationError::new(
                "",
                NotFoundKind::Draft.code(),
                "There is no open draft.",
            )]),
            Self::NotFound(NotFoundKind::Release) => Ok(vec![ValidationError::new(
                "",
                NotFoundKind::Release.code(),
                "There is no such release.",
            )]),
            Self::Stale(stale) => Ok(vec![ValidationError::new(
                "",
                ErrorCode::StaleDraft,
                sentence(&stale),
            )]),
            Self::ReleasePublished => Ok(vec![ValidationError::new(
                "",
                ErrorCode::ReleasePublished,
                ALREADY_OUT,
            )]),
            inside => Err(inside),
        }
    }

    /// Worth another attempt, unchanged.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Database(_))
    }
}

const ALREADY_OUT: &str = "This release is published already.";

fn sentence(stale: &Stale) -> String {
    let revision = stale.revision;
    match stale.cause {
        StaleCause::Draft => {
            format!("Another editor has changed this since; it is at revision {revision} now.")
        }
        StaleCause::Published => {
            "Something else was published since this draft was begun. Look at what changed and save again."
                .to_owned()
        }
    }
}

impl From<Stale> for Failure {
    fn from(stale: Stale) -> Self {
        let failure = Self::new(Kind::Conflict, ErrorCode::StaleDraft, sentence(&stale));
        let listed = stale.changes.iter().take(LISTED_CHANGES_MAX);
        let failure = listed.fold(failure, |failure, change| {
            let (before, after) = (
                shortened(&change.before, LISTED_VALUE_MAX),
                shortened(&change.after, LISTED_VALUE_MAX),
            );
            let (code, message) = match change.kind {
                ChangeKind::Added => (ErrorCode::Added, format!("added: {after}")),
                ChangeKind::Removed => (ErrorCode::Removed, format!("removed: {before}")),
                ChangeKind::Moved => (
                    ErrorCode::Moved,
                    format!("moved from position {before} to {after}"),
                ),
                ChangeKind::Changed => (ErrorCode::Changed, format!("{before} → {after}")),
            };
            failure.field(&change.field, code, message)
        });
        match stale.changes.len().saturating_sub(LISTED_CHANGES_MAX) {
            0 => failure,
            more => failure.field("", ErrorCode::More, format!("and {more} more changes")),
        }
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        match error {
            Error::NotFound(what) => {
                Self::new(Kind::NotFound, what.code(), format!("There is no such {what}."))
            }
            Error::ChromeNotFound => Self::new(
                Kind::NotFound,
                ErrorCode::ChromeNotFound,
                "This locale has no navigation and footer.",
            ),
            Error::Invalid(errors) => {
                let fields = errors.into_iter().map(|error| FieldError {
                    field: error.field,
                    code: error.code.as_str_name().to_owned(),
                    message: error.message,
                });
                Self {
                    fields: fields.collect(),
                    ..Self::new(
                        Kind::Invalid,
                        ErrorCode::ValidationFailed,
                        "The content has errors.",
                    )
                }
            }
            Error::Stale(stale) => (*stale).into(),
            Error::ReleasePublished => Self::new(Kind::Refused, ErrorCode::ReleasePublished, ALREADY_OUT),
            Error::Idempotency(rejection) => rejection.into(),
            Error::Database(error) if kit::database::is_outage(&error) => {
                tracing::warn!(%error, "database not reached");
                Self::of_database(&error)
            }
            inside => {
                tracing::error!(error = %inside, "request failed");
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::Change;

    #[test]
    fn changes_are_listed_by_field_and_truncated() {
        let change = |number: usize| Change {
            kind: ChangeKind::Changed,
            field: format!("sections[a{number}].text"),
            before: "old".to_owned(),
            after: "ş".repeat(1000),
        };
        let stale = Stale {
            cause: StaleCause::Draft,
            revision: 7,
            changes: (0..30).map(change).collect(),
        };
        let failure = Failure::from(Error::Stale(Box::new(stale)));
        assert_eq!(
            (failure.kind, failure.code.as_str()),
            (Kind::Conflict, "STALE_DRAFT")
        );
        assert!(failure.message.contains("revision 7"), "{}", failure.message);
        assert_eq!(failure.fields[0].field, "sections[a0].text");
        assert!(failure.fields[0].message.starts_with("old → ş"));
        assert_eq!(failure.fields.last().unwrap().message, "and 10 more changes");
        let bytes: usize = failure.fields.iter().map(|error| error.message.len()).sum();
        assert!(bytes < 6000, "{bytes}");
    }
}
