//! The simulator of a language model with the chat completions protocol. The same question in the same language always has
//! the same answer, streamed in chunks.

pub mod api;
mod model;
mod response_stream;
mod texts;

pub use model::LanguageModel;
