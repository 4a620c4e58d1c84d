//! Public failures, without internal detail, and their transport through gRPC.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::time::Duration;

pub use proto::common::v1::ErrorCode;
use tonic::{Code, Status};
use tonic_types::{ErrorDetails, FieldViolation, StatusExt};

use crate::database::is_outage;

const DOMAIN: &str = "stillpoint";

/// Class of a failure: what the caller can do about it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// The request is malformed: correct it.
    Invalid,
    NotFound,
    /// The request contradicts what is already there, such as a used idempotency key with another body.
    Conflict,
    /// A business rule rejects the request.
    Refused,
    Unauthenticated,
    Forbidden,
    TooMany,
    /// Try again later.
    Unavailable,
    /// The outcome is unknown.
    Timeout,
    Internal,
}

/// A failure as the caller sees it. `message` never contains internal detail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    pub kind: Kind,
    /// The name of an [`ErrorCode`], or the code of a payment provider.
    pub code: String,
    pub message: String,
    pub fields: Vec<FieldError>,
    /// Time to wait before a retry, if known.
    pub retry_after: Option<Duration>,
    /// What a program needs to go on, beside the code. Each code that has details documents them.
    pub details: Box<BTreeMap<String, String>>,
}

/// An invalid field of the request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FieldError {
    pub field: String,
    pub code: String,
    pub message: String,
}

impl FieldError {
    pub fn new(field: impl Into<String>, code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            code: code.as_str_name().to_owned(),
            message: message.into(),
        }
    }
}

impl Failure {
    pub fn new(kind: Kind, code: ErrorCode, message: impl Into<String>) -> Self {
        Self::with_code(kind, code.as_str_name(), message)
    }

    /// For the code of a payment provider, which is passed on unchanged.
    pub fn with_code(kind: Kind, code: &str, message: impl Into<String>) -> Self {
        Self {
            kind,
            code: code.to_owned(),
            message: message.into(),
            fields: Vec::new(),
            retry_after: None,
            details: Box::default(),
        }
    }

    /// A validation failure with its fields.
    pub fn fields(fields: Vec<FieldError>) -> Self {
        Self {
            fields,
            ..Self::new(
                Kind::Invalid,
                ErrorCode::ValidationFailed,
                "Some fields need attention.",
            )
        }
    }

    #[must_use]
    pub fn retry_after(mut self, wait: Duration) -> Self {
        self.retry_after = Some(wait);
        self
    }

    #[must_use]
    pub fn field(mut self, field: &str, code: ErrorCode, message: impl Into<String>) -> Self {
        self.fields.push(FieldError::new(field, code, message));
        self
    }

    #[must_use]
    pub fn detail(mut self, name: &str, value: impl Into<String>) -> Self {
        self.details.insert(name.to_owned(), value.into());
        self
    }

    /// `None` for the code of a payment provider, or of a newer service.
    pub fn error_code(&self) -> Option<ErrorCode> {
        ErrorCode::from_str_name(&self.code)
    }

    /// The status of `error`, whose public form this is. Logs what the caller cannot correct.
    pub fn into_status(self, error: &impl std::error::Error) -> Status {
        if matches!(self.kind, Kind::Internal | Kind::Unavailable) {
            tracing::error!(%error, "request failed");
        }
        self.into()
    }

    pub fn internal() -> Self {
        Self::nameless(Kind::Internal)
    }

    /// An outage can be retried; any other error of the database is internal.
    pub fn of_database(error: &sqlx::Error) -> Self {
        if is_outage(error) {
            Self::unavailable()
        } else {
            Self::internal()
        }
    }

    pub fn unavailable() -> Self {
        Self::nameless(Kind::Unavailable)
    }

    pub fn timeout() -> Self {
        Self::nameless(Kind::Timeout)
    }

    /// A status of our own services keeps its code and message. Any other (a transport error, a panic, a
    /// library's error) may contain internal detail and is replaced by a general message.
    pub fn from_status(status: &Status) -> Self {
        let kind = kind_of(status.code());
        let Some(info) = status.get_details_error_info() else {
            return Self::nameless(kind);
        };
        let fields = status
            .get_details_bad_request()
            .map(|bad| bad.field_violations.into_iter().map(FieldError::from).collect());
        Self {
            kind,
            code: info.reason,
            message: status.message().to_owned(),
            fields: fields.unwrap_or_default(),
            retry_after: status.get_details_retry_info().and_then(|info| info.retry_delay),
            details: Box::new(info.metadata.into_iter().collect()),
        }
    }

    fn nameless(kind: Kind) -> Self {
        let (code, message) = match kind {
            Kind::Invalid => (ErrorCode::InvalidRequest, "The request is not valid."),
            Kind::NotFound => (ErrorCode::NotFound, "There is nothing here."),
            Kind::Conflict => (ErrorCode::Conflict, "The request conflicts with an earlier one."),
            Kind::Refused => (ErrorCode::Refused, "This is not possible now."),
            Kind::Unauthenticated => (ErrorCode::Unauthenticated, "Sign in first."),
            Kind::Forbidden => (ErrorCode::Forbidden, "You may not do this."),
            Kind::TooMany => (
                ErrorCode::TooManyRequests,
                "Too many requests; try again in a moment.",
            ),
            Kind::Unavailable => (
                ErrorCode::Unavailable,
                "The service is not available; try again in a moment.",
            ),
            Kind::Timeout => (ErrorCode::Timeout, "It took too long; try again in a moment."),
            Kind::Internal => (ErrorCode::Internal, "Something went wrong on our side."),
        };
        Self::new(kind, code, message)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: {}", self.code, self.message)
    }
}

impl std::error::Error for Failure {}

impl From<Failure> for Status {
    fn from(failure: Failure) -> Self {
        let metadata: HashMap<String, String> = (*failure.details).into_iter().collect();
        let mut details = ErrorDetails::with_error_info(failure.code, DOMAIN, metadata);
        if !failure.fields.is_empty() {
            let violations: Vec<_> = failure.fields.into_iter().map(FieldViolation::from).collect();
            details.set_bad_request(violations);
        }
        if failure.retry_after.is_some() {
            details.set_retry_info(failure.retry_after);
        }
        Self::with_error_details(code_of(failure.kind), failure.message, details)
    }
}

impl From<FieldError> for FieldViolation {
    fn from(error: FieldError) -> Self {
        Self {
            reason: error.code,
            ..Self::new(error.field, error.message)
        }
    }
}

impl From<FieldViolation> for FieldError {
    fn from(violation: FieldViolation) -> Self {
        Self {
            field: violation.field,
            code: violation.reason,
            message: violation.description,
        }
    }
}

const fn code_of(kind: Kind) -> Code {
    match kind {
        Kind::Invalid => Code::InvalidArgument,
        Kind::NotFound => Code::NotFound,
        Kind::Conflict => Code::Aborted,
        Kind::Refused => Code::FailedPrecondition,
        Kind::Unauthenticated => Code::Unauthenticated,
        Kind::Forbidden => Code::PermissionDenied,
        Kind::TooMany => Code::ResourceExhausted,
        Kind::Unavailable => Code::Unavailable,
        Kind::Timeout => Code::DeadlineExceeded,
        Kind::Internal => Code::Internal,
    }
}

const fn kind_of(code: Code) -> Kind {
    match code {
        Code::InvalidArgument | Code::OutOfRange => Kind::Invalid,
        Code::NotFound => Kind::NotFound,
        Code::Aborted | Code::AlreadyExists => Kind::Conflict,
        Code::FailedPrecondition => Kind::Refused,
        Code::Unauthenticated => Kind::Unauthenticated,
        Code::PermissionDenied => Kind::Forbidden,
        Code::ResourceExhausted => Kind::TooMany,
        Code::Unavailable => Kind::Unavailable,
        // tonic says `Cancelled` when its own timer ends a call.
        Code::DeadlineExceeded | Code::Cancelled => Kind::Timeout,
        Code::Ok | Code::Unknown | Code::Unimplemented | Code::Internal | Code::DataLoss => Kind::Internal,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const KINDS: [Kind; 10] = [
        Kind::Invalid,
        Kind::NotFound,
        Kind::Conflict,
        Kind::Refused,
        Kind::Unauthenticated,
        Kind::Forbidden,
        Kind::TooMany,
        Kind::Unavailable,
        Kind::Timeout,
        Kind::Internal,
    ];

    #[test]
    fn a_failure_survives_grpc() {
        for kind in KINDS {
            let failure = Failure::new(kind, ErrorCode::Sb101, "A sentence.")
                .field("email", ErrorCode::Taken, "In use.")
                .field("name", ErrorCode::Required, "Say who you are.")
                .retry_after(Duration::from_secs(90))
                .detail("methods", "password");
            let status = Status::from(failure.clone());
            let carried = Status::from_header_map(status.into_http::<()>().headers()).unwrap();
            assert_eq!(Failure::from_status(&carried), failure);
        }
    }

    #[test]
    fn a_foreign_status_shows_no_inside_detail() {
        let failure = Failure::from_status(&Status::unknown("connect to 10.0.0.7:50051 failed"));
        assert_eq!(failure, Failure::internal());
        assert!(!failure.to_string().contains("10.0.0.7"));
    }
}
