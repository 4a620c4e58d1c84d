//! The parameters of a call: body fields, preferences, pages.

use serde_json::{Value, json};

use crate::{
    engine::http::call::{Call, Reply},
    paypal::error::ApiError,
};

/// A call with its JSON body.
pub struct ApiRequest<'a> {
    pub call: &'a Call,
    pub body: &'a Value,
}

impl<'a> ApiRequest<'a> {
    /// A text field of the body; another type is an error.
    pub fn text(&self, field: &str) -> Result<Option<&'a str>, ApiError> {
        match &self.body[field] {
            Value::Null => Ok(None),
            Value::String(text) if text.is_empty() => Err(ApiError::invalid(
                &format!("/{field}"),
                "INVALID_STRING_LENGTH",
                "The value of a field is either too short or too long.",
            )),
            Value::String(text) => Ok(Some(text)),
            _ => Err(ApiError::wrong(&format!("/{field}"))),
        }
    }

    pub fn wants_representation(&self) -> bool {
        self.call.header("prefer") == Some("return=representation")
    }
}

/// Pages are counted from 1.
pub struct Paging {
    page: usize,
    size: usize,
    is_counted: bool,
}

impl Paging {
    pub fn of(request: &ApiRequest<'_>) -> Result<Self, ApiError> {
        let number = |name: &str, default: usize| match request.call.query_param(name) {
            None => Ok(default),
            Some(text) => text
                .parse()
                .ok()
                .filter(|number| *number > 0)
                .ok_or_else(|| ApiError::missing_query(name)),
        };
        Ok(Self {
            page: number("page", 1)?,
            size: number("page_size", 10)?.min(20),
            is_counted: request.call.query_param("total_required").as_deref() == Some("true"),
        })
    }

    pub fn reply<'v>(&self, name: &str, all: impl Iterator<Item = &'v Value>) -> Reply {
        let all: Vec<_> = all.collect();
        let shown: Vec<_> = all
            .iter()
            .skip((self.page - 1) * self.size)
            .take(self.size)
            .collect();
        let mut body = json!({ name: shown, "links": [] });
        if self.is_counted {
            body["total_items"] = all.len().into();
            body["total_pages"] = all.len().div_ceil(self.size).into();
        }
        Reply::json(200, &body)
    }
}
