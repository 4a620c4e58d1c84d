//! YooKassa's error bodies with their HTTP status.

use serde_json::json;

use crate::engine::{
    http::call::{BadBody, Reply},
    ids::uuid,
};

pub type ApiResult = Result<Reply, ApiError>;

#[derive(Debug)]
pub struct ApiError {
    status: u16,
    code: &'static str,
    description: String,
    parameter: Option<String>,
}

impl ApiError {
    fn new(status: u16, code: &'static str, description: impl Into<String>) -> Self {
        Self {
            status,
            code,
            description: description.into(),
            parameter: None,
        }
    }

    /// The parameter is wrong, or what it asks for cannot be done.
    pub fn invalid(parameter: &str, description: impl Into<String>) -> Self {
        Self {
            parameter: Some(parameter.to_owned()),
            ..Self::new(400, "invalid_request", description)
        }
    }

    pub fn missing(parameter: &str) -> Self {
        Self::invalid(parameter, "Required parameter is missing")
    }

    fn not_json() -> Self {
        Self::new(
            400,
            "invalid_request",
            "Can not parse request body: it is not a JSON object",
        )
    }

    pub fn not_found(parameter: &str, what: &str) -> Self {
        Self {
            parameter: Some(parameter.to_owned()),
            ..Self::new(404, "not_found", format!("{what} doesn't exist or access denied"))
        }
    }

    pub fn no_resource() -> Self {
        Self::new(404, "not_found", "The requested resource could not be found")
    }

    pub fn unauthenticated() -> Self {
        Self::new(
            401,
            "invalid_credentials",
            "Error in shopId or secret key. Check their validity. You can reissue the key in the Merchant Profile",
        )
    }

    pub fn method() -> Self {
        Self::new(405, "invalid_request", "Method not allowed")
    }

    fn media_type() -> Self {
        Self::new(
            415,
            "unsupported_media_type",
            "Content-Type must be application/json",
        )
    }

    pub fn outage(status: u16) -> Self {
        match status {
            413 => Self::new(400, "invalid_request", "The request body is too large"),
            429 => Self::new(429, "too_many_requests", "Too many requests. Try again later"),
            _ => Self::new(status, "internal_server_error", "Internal server error"),
        }
    }

    pub fn reply(&self) -> Reply {
        let mut body = json!({
            "type": "error", "id": uuid(), "code": self.code, "description": self.description,
        });
        if let Some(parameter) = &self.parameter {
            body["parameter"] = parameter.as_str().into();
        }
        Reply::json(self.status, &body)
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
