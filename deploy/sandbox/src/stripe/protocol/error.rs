//! Stripe's error bodies with their HTTP status.

use serde_json::{Map, Value, json};

use crate::stripe::cards::CardError;

pub type ApiResult = Result<Value, ApiError>;

/// Whether execution had started: only then does Stripe store the response under the idempotency key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stage {
    Validation,
    Execution,
}

#[derive(Clone, Debug)]
pub struct ApiError {
    pub status: u16,
    pub stage: Stage,
    fields: Map<String, Value>,
}

impl ApiError {
    fn new(status: u16, kind: &str, message: impl Into<String>) -> Self {
        let mut fields = Map::new();
        fields.insert("message".into(), message.into().into());
        fields.insert("type".into(), kind.into());
        Self {
            status,
            stage: Stage::Execution,
            fields,
        }
    }

    pub fn invalid(message: impl Into<String>) -> Self {
        Self::new(400, "invalid_request_error", message)
    }

    /// A malformed request, rejected before execution.
    pub fn malformed(message: impl Into<String>) -> Self {
        let mut error = Self::invalid(message);
        error.stage = Stage::Validation;
        error
    }

    pub fn unauthorized(message: impl Into<String>) -> Self {
        let mut error = Self::new(401, "invalid_request_error", message);
        error.stage = Stage::Validation;
        error
    }

    pub fn idempotency(status: u16, message: impl Into<String>) -> Self {
        let mut error = Self::new(status, "idempotency_error", message);
        error.stage = Stage::Validation;
        error
    }

    pub fn unknown_url(method: &str, path: &str) -> Self {
        let mut error = Self::new(
            404,
            "invalid_request_error",
            format!(
                "Unrecognized request URL ({method}: {path}). Please see https://stripe.com/docs or we can help at https://support.stripe.com/."
            ),
        );
        error.stage = Stage::Validation;
        error
    }

    pub fn missing_parameter(param: &str) -> Self {
        Self::malformed(format!("Missing required param: {param}."))
            .code("parameter_missing")
            .param(param)
    }

    pub fn unknown_parameter(param: &str) -> Self {
        Self::malformed(format!("Received unknown parameter: {param}"))
            .code("parameter_unknown")
            .param(param)
    }

    pub fn empty_parameter(param: &str) -> Self {
        Self::malformed(format!(
            "You passed an empty string for '{param}'. We assume empty values are an attempt to unset a parameter; however '{param}' cannot be unset. You should remove '{param}' from your request or supply a non-empty value."
        ))
        .code("parameter_invalid_empty")
        .param(param)
    }

    pub fn no_such(what: &str, id: &str, param: &str) -> Self {
        Self::invalid(format!("No such {what}: '{id}'"))
            .code("resource_missing")
            .param(param)
    }

    pub fn card(card: &CardError) -> Self {
        let mut error = Self::new(402, "card_error", card.message).code(card.code);
        for (name, value) in [
            ("decline_code", card.decline_code),
            ("advice_code", card.advice_code),
            ("param", card.param),
        ] {
            if let Some(value) = value {
                error = error.with(name, value);
            }
        }
        error
    }

    pub fn code(self, code: &str) -> Self {
        let page = code.replace('_', "-");
        self.with("code", code)
            .with("doc_url", format!("https://stripe.com/docs/error-codes/{page}"))
    }

    pub fn param(self, param: &str) -> Self {
        self.with("param", param)
    }

    pub fn status(mut self, status: u16) -> Self {
        self.status = status;
        self
    }

    pub fn with(mut self, field: &str, value: impl Into<Value>) -> Self {
        self.fields.insert(field.into(), value.into());
        self
    }

    pub fn message(&self) -> &str {
        self.fields["message"].as_str().unwrap_or_default()
    }

    /// The content of `last_payment_error` and `last_setup_error`.
    pub fn fields(&self) -> Value {
        Value::Object(self.fields.clone())
    }

    pub fn body(&self) -> Value {
        json!({ "error": self.fields })
    }
}
