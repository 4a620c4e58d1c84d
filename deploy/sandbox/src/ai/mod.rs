//! A twin of a language model behind the chat completions protocol: the same question in the same language is always
//! answered with the same words, one after the other.

pub mod http;
mod script;
mod words;

use std::time::Duration;

/// What the account knows.
pub struct Model {
    pub api_key: String,
    /// Between two pieces.
    pub pace: Duration,
}
