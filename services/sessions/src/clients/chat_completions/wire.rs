//! The JSON of requests and responses, as far as it is used.
use serde::{Deserialize, Serialize};

#[derive(Serialize)]
pub struct Request<'a> {
    pub model: &'a str,
    pub messages: [Message<'a>; 2],
    pub stream: bool,
    pub max_completion_tokens: u32,
}

#[derive(Serialize)]
pub struct Message<'a> {
    role: &'static str,
    content: &'a str,
}

impl<'a> Message<'a> {
    pub fn new(role: &'static str, content: &'a str) -> Self {
        Self { role, content }
    }
}

/// One event of the stream. An error event has no choices.
#[derive(Deserialize)]
pub struct Chunk {
    #[serde(default)]
    pub choices: Vec<Choice>,
    pub error: Option<ErrorObject>,
}

#[derive(Deserialize)]
pub struct Choice {
    #[serde(default)]
    pub delta: Delta,
    pub finish_reason: Option<String>,
}

#[derive(Default, Deserialize)]
pub struct Delta {
    pub content: Option<String>,
    pub refusal: Option<String>,
}

#[derive(Deserialize)]
pub struct ErrorBody {
    pub error: ErrorObject,
}

/// `code` is a number for some providers.
#[derive(Deserialize)]
pub struct ErrorObject {
    pub code: Option<serde_json::Value>,
    pub r#type: Option<String>,
}

impl ErrorObject {
    /// Never the message: it may repeat the question.
    pub fn name(&self) -> String {
        match &self.code {
            Some(serde_json::Value::String(code)) => code.clone(),
            Some(serde_json::Value::Number(code)) => code.to_string(),
            _ => self.r#type.clone().unwrap_or_default(),
        }
    }
}
