//! PayPal's error bodies with their HTTP status.

use serde_json::{Value, json};

use crate::engine::{
    http::call::{BadBody, Reply},
    ids::random,
};

pub type ApiResult = Result<Reply, ApiError>;

#[derive(Debug)]
pub struct ApiError {
    status: u16,
    name: &'static str,
    message: &'static str,
    details: Vec<Value>,
}

impl ApiError {
    const fn new(status: u16, name: &'static str, message: &'static str) -> Self {
        Self {
            status,
            name,
            message,
            details: Vec::new(),
        }
    }

    fn with(mut self, detail: Value) -> Self {
        self.details.push(detail);
        self
    }

    /// A field of the body is malformed.
    pub fn invalid(field: &str, issue: &str, description: &str) -> Self {
        Self::malformed().with(json!({
            "field": field, "location": "body", "issue": issue, "description": description,
        }))
    }

    const fn malformed() -> Self {
        Self::new(
            400,
            "INVALID_REQUEST",
            "Request is not well-formed, syntactically incorrect, or violates schema.",
        )
    }

    pub fn missing(field: &str) -> Self {
        Self::invalid(
            field,
            "MISSING_REQUIRED_PARAMETER",
            "A required field is missing.",
        )
    }

    pub fn wrong(field: &str) -> Self {
        Self::invalid(
            field,
            "INVALID_PARAMETER_VALUE",
            "The value of a field is invalid.",
        )
    }

    fn not_json() -> Self {
        Self::invalid(
            "/",
            "MALFORMED_REQUEST_JSON",
            "The request JSON is not well formed.",
        )
    }

    pub fn missing_query(parameter: &str) -> Self {
        Self::malformed().with(json!({
            "field": parameter, "location": "query", "issue": "MISSING_REQUIRED_PARAMETER",
            "description": "A required field is missing.",
        }))
    }

    /// The request is well-formed and cannot be executed.
    pub fn unprocessable(issue: &str, description: &str) -> Self {
        Self::new(
            422,
            "UNPROCESSABLE_ENTITY",
            "The requested action could not be performed, semantically incorrect, or failed business validation.",
        )
        .with(json!({ "issue": issue, "description": description }))
    }

    pub fn not_found() -> Self {
        Self::new(
            404,
            "RESOURCE_NOT_FOUND",
            "The specified resource does not exist.",
        )
        .with(json!({
            "issue": "INVALID_RESOURCE_ID", "description": "Requested resource ID was not found.",
        }))
    }

    pub const fn unauthenticated() -> Self {
        Self::new(
            401,
            "AUTHENTICATION_FAILURE",
            "Authentication failed due to invalid authentication credentials or a missing Authorization header.",
        )
    }

    pub fn forbidden() -> Self {
        Self::new(
            403,
            "NOT_AUTHORIZED",
            "Authorization failed due to insufficient permissions.",
        )
        .with(json!({
            "issue": "PERMISSION_DENIED",
            "description": "You do not have permission to access or perform operations on this resource.",
        }))
    }

    const fn media_type() -> Self {
        Self::new(
            415,
            "UNSUPPORTED_MEDIA_TYPE",
            "The server does not support the request payload's media type.",
        )
    }

    /// An error of the v1 payments API.
    pub const fn v1(name: &'static str, message: &'static str) -> Self {
        Self::new(400, name, message)
    }

    pub fn outage(status: u16) -> Self {
        match status {
            413 => Self::malformed(),
            429 => Self::new(
                429,
                "RATE_LIMIT_REACHED",
                "Too many requests. Blocked due to rate limiting.",
            ),
            503 => Self::new(503, "SERVICE_UNAVAILABLE", "Service Unavailable."),
            _ => Self::new(
                status,
                "INTERNAL_SERVER_ERROR",
                "An internal server error has occurred.",
            ),
        }
    }

    pub fn reply(&self) -> Reply {
        let debug_id = random(13).to_lowercase();
        let mut reply = Reply::json(
            self.status,
            &json!({
                "name": self.name, "message": self.message, "debug_id": debug_id,
                "details": self.details, "links": [],
            }),
        );
        reply.headers.push(("paypal-debug-id", debug_id));
        reply
    }
}

impl From<BadBody> for ApiError {
    fn from(body: BadBody) -> Self {
        match body {
            BadBody::MediaType => Self::media_type(),
            BadBody::NotJson => Self::not_json(),
        }
    }
}
