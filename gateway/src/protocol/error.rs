//! What goes wrong, as HTTP: the only place where a kind or a code becomes a status.
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use http::header::{CONTENT_TYPE, RETRY_AFTER};
use http::{HeaderValue, StatusCode};
use kit::error::{ErrorCode, Failure, Kind};
use serde::Serialize;
use utoipa::ToSchema;

use crate::protocol::trace;

/// Detail of `STEP_UP_REQUIRED`.
pub const METHODS: &str = "methods";
/// Detail of `SECOND_FACTOR_REQUIRED`, of a sign-in.
pub const CHALLENGE: &str = "challenge";

/// An answer that refuses or fails. It leaves as problem+json, or as a payment envelope where those are specified.
#[derive(Clone, Debug)]
pub struct Problem {
    failure: Failure,
    retry_after_secs: Option<u64>,
}

pub type HandlerResult<T> = Result<T, Problem>;

impl Problem {
    pub fn new(kind: Kind, code: ErrorCode, message: impl Into<String>) -> Self {
        Failure::new(kind, code, message).into()
    }

    pub fn field(self, field: &str, code: ErrorCode, message: impl Into<String>) -> Self {
        Self {
            failure: self.failure.field(field, code, message),
            ..self
        }
    }

    pub fn detail(self, name: &str, value: impl Into<String>) -> Self {
        Self {
            failure: self.failure.detail(name, value),
            ..self
        }
    }

    pub fn retry_after(self, secs: u64) -> Self {
        Self {
            retry_after_secs: Some(secs),
            ..self
        }
    }

    /// The specified code of calls that need a session.
    pub fn not_signed_in() -> Self {
        Self::new(Kind::Unauthenticated, ErrorCode::V100, "Sign in to continue.")
    }

    pub fn not_found() -> Self {
        Self::new(
            Kind::NotFound,
            ErrorCode::NotFound,
            "There is nothing at this address.",
        )
    }

    pub fn internal() -> Self {
        Failure::internal().into()
    }

    pub fn failure(&self) -> &Failure {
        &self.failure
    }

    pub fn status(&self) -> StatusCode {
        match self.failure.error_code() {
            Some(ErrorCode::MalformedBody) => StatusCode::BAD_REQUEST,
            Some(ErrorCode::MethodNotAllowed) => StatusCode::METHOD_NOT_ALLOWED,
            Some(ErrorCode::BodyTimeout) => StatusCode::REQUEST_TIMEOUT,
            Some(ErrorCode::BodyTooLarge) => StatusCode::PAYLOAD_TOO_LARGE,
            Some(ErrorCode::UnsupportedMediaType) => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            _ => status_of_kind(&self.failure),
        }
    }

    /// Payment calls say a refusal of the business with 200, as their clients read the body.
    fn envelope_status(&self) -> StatusCode {
        let status = self.status();
        let refusal = match self.failure.kind {
            Kind::Refused | Kind::NotFound | Kind::Unauthenticated => true,
            Kind::Conflict => !matches!(
                self.failure.error_code(),
                Some(ErrorCode::IdempotencyConflict | ErrorCode::IdempotencyInProgress)
            ),
            Kind::Invalid => status == StatusCode::BAD_REQUEST && self.failure.fields.is_empty(),
            Kind::Forbidden | Kind::TooMany | Kind::Unavailable | Kind::Timeout | Kind::Internal => false,
        };
        if refusal { StatusCode::OK } else { status }
    }

    fn errors(&self) -> Vec<FieldError> {
        let error = |error: &kit::error::FieldError| FieldError {
            field: error.field.clone(),
            code: error.code.clone(),
            message: error.message.clone(),
        };
        self.failure.fields.iter().map(error).collect()
    }

    /// Detail of `STEP_UP_REQUIRED`, separated by commas.
    fn methods(&self) -> Vec<String> {
        let methods = self.failure.details.get(METHODS);
        let methods = methods.map(|methods| methods.split(',').map(str::to_owned).collect());
        methods.unwrap_or_default()
    }

    fn data(&self) -> Option<ProblemData> {
        let challenge = self.failure.details.get(CHALLENGE)?.clone();
        Some(ProblemData { challenge })
    }

    fn into_payment_envelope(self) -> Response {
        let body = PaymentError {
            status: false,
            data: None,
            code: self.failure.code.clone(),
            message: self.failure.message.clone(),
            errors: self.errors(),
        };
        self.finish((self.envelope_status(), axum::Json(body)).into_response())
    }

    fn into_data_error_envelope(self) -> Response {
        let body = EnvelopeError {
            data: None,
            error: self.failure.message.clone(),
            error_code: self.failure.code.clone(),
        };
        self.finish((self.status(), axum::Json(body)).into_response())
    }

    /// With what every answer to a problem carries.
    pub fn finish(&self, mut response: Response) -> Response {
        if let Some(secs) = self.retry_after_secs {
            response
                .headers_mut()
                .insert(RETRY_AFTER, HeaderValue::from(secs));
        }
        response
    }
}

fn status_of_kind(failure: &Failure) -> StatusCode {
    match failure.kind {
        Kind::Invalid if failure.fields.is_empty() => StatusCode::BAD_REQUEST,
        Kind::Invalid | Kind::Refused => StatusCode::UNPROCESSABLE_ENTITY,
        Kind::NotFound => StatusCode::NOT_FOUND,
        Kind::Conflict => StatusCode::CONFLICT,
        Kind::Unauthenticated => StatusCode::UNAUTHORIZED,
        Kind::Forbidden => StatusCode::FORBIDDEN,
        Kind::TooMany => StatusCode::TOO_MANY_REQUESTS,
        Kind::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
        Kind::Timeout => StatusCode::GATEWAY_TIMEOUT,
        Kind::Internal => StatusCode::INTERNAL_SERVER_ERROR,
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        let wait = failure.retry_after.map(|wait| wait.as_secs().max(1));
        Self {
            failure,
            retry_after_secs: wait,
        }
    }
}

impl From<tonic::Status> for Problem {
    fn from(status: tonic::Status) -> Self {
        let problem = Self::from(Failure::from_status(&status));
        // The gateway itself is denied, not the visitor: a session must not end for it.
        if let Some(ErrorCode::CallerUnknown | ErrorCode::CallerNotAllowed) = problem.failure.error_code() {
            return Self::internal();
        }
        match problem.failure.kind {
            Kind::Unavailable if problem.retry_after_secs.is_none() => problem.retry_after(1),
            _ => problem,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let status = self.status();
        let body = ProblemBody {
            r#type: "about:blank",
            title: status.canonical_reason().unwrap_or_default(),
            status: status.as_u16(),
            detail: self.failure.message.clone(),
            code: self.failure.code.clone(),
            errors: self.errors(),
            methods: self.methods(),
            data: self.data(),
            request_id: trace::request_id(),
        };
        let mut response = self.finish((status, axum::Json(body)).into_response());
        response
            .headers_mut()
            .insert(CONTENT_TYPE, HeaderValue::from_static("application/problem+json"));
        response.extensions_mut().insert(self);
        response
    }
}

/// For an address that is called by another method.
pub async fn method_not_allowed() -> Response {
    Problem::new(
        Kind::Invalid,
        ErrorCode::MethodNotAllowed,
        "This address does not take that method.",
    )
    .into_response()
}

/// For a handler that panicked.
pub fn panicked() -> Response {
    tracing::error!("handler panicked");
    Problem::internal().into_response()
}

/// Wraps the routes whose specified error shape is the payment envelope.
pub async fn payment_envelope(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<Problem>() {
        Some(problem) => problem.into_payment_envelope(),
        None => response,
    }
}

/// Wraps the routes whose specified error shape is the data/error envelope.
pub async fn data_error_envelope(request: Request, next: Next) -> Response {
    let mut response = next.run(request).await;
    match response.extensions_mut().remove::<Problem>() {
        Some(problem) => problem.into_data_error_envelope(),
        None => response,
    }
}

/// RFC 9457.
#[derive(Serialize, ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody {
    #[schema(example = "about:blank")]
    r#type: &'static str,
    #[schema(example = "Conflict")]
    title: &'static str,
    #[schema(example = 409)]
    status: u16,
    detail: String,
    /// Stable: what a program should look at.
    #[schema(example = "R100")]
    code: String,
    errors: Vec<FieldError>,
    /// With `STEP_UP_REQUIRED`: `password` and `code` for `/api/account/step-up`, or `sign_in`
    #[serde(skip_serializing_if = "Vec::is_empty")]
    methods: Vec<String>,
    /// With `SECOND_FACTOR_REQUIRED` at a sign-in
    #[serde(skip_serializing_if = "Option::is_none")]
    data: Option<ProblemData>,
    request_id: String,
}

/// The sign-in waits for its second factor.
#[derive(Serialize, ToSchema)]
pub struct ProblemData {
    /// For `/api/account/second-factor/verify`, within ten minutes
    #[schema(example = "5d41…")]
    challenge: String,
}

/// What is wrong with one field.
#[derive(Serialize, ToSchema)]
pub struct FieldError {
    #[schema(example = "email")]
    field: String,
    #[schema(example = "invalid")]
    code: String,
    message: String,
}

/// An error in the payment envelope.
#[derive(Serialize, ToSchema)]
pub struct PaymentError {
    #[schema(example = false)]
    status: bool,
    #[schema(value_type = Option<Object>)]
    data: Option<()>,
    #[schema(example = "V100")]
    code: String,
    message: String,
    #[serde(skip_serializing_if = "Vec::is_empty")]
    errors: Vec<FieldError>,
}

/// An error in the data/error envelope.
#[derive(Serialize, ToSchema)]
pub struct EnvelopeError {
    #[schema(value_type = Option<Object>)]
    data: Option<()>,
    error: String,
    #[schema(example = "UNAVAILABLE")]
    error_code: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(kind: Kind, code: &str, plain: u16, envelope: u16) {
        let problem = Problem::from(Failure::with_code(kind, code, "no"));
        assert_eq!(
            (problem.status().as_u16(), problem.envelope_status().as_u16()),
            (plain, envelope),
            "{code}"
        );
    }

    #[test]
    fn business_refusals_are_200_in_an_envelope_only() {
        check(Kind::Unauthenticated, "V100", 401, 200);
        check(Kind::NotFound, "UNKNOWN_CAMPAIGN", 404, 200);
        check(Kind::Invalid, "UNKNOWN_COUPON", 400, 200);
        check(Kind::Refused, "card_declined", 422, 200);
        check(Kind::Conflict, "ALREADY_SUBSCRIBED", 409, 200);
    }

    #[test]
    fn errors_keep_their_status_in_an_envelope() {
        check(Kind::Conflict, "IDEMPOTENCY_CONFLICT", 409, 409);
        check(Kind::Conflict, "IDEMPOTENCY_IN_PROGRESS", 409, 409);
        check(Kind::Invalid, "BODY_TOO_LARGE", 413, 413);
        check(Kind::Invalid, "UNSUPPORTED_MEDIA_TYPE", 415, 415);
        check(Kind::TooMany, "RATE_LIMITED", 429, 429);
        check(Kind::Unavailable, "OVERLOADED", 503, 503);
        check(Kind::Timeout, "DEADLINE", 504, 504);
        check(Kind::Internal, "INTERNAL", 500, 500);
        let wrong_field = Problem::new(Kind::Invalid, ErrorCode::MalformedBody, "no").field(
            "email",
            ErrorCode::WrongType,
            "no",
        );
        assert_eq!(wrong_field.envelope_status(), StatusCode::BAD_REQUEST);
    }
}
