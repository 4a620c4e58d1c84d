//! The language model as the flows use it.
use async_trait::async_trait;
use futures::stream::BoxStream;

use crate::domain::prompt::Prompt;

#[async_trait]
pub trait LanguageModel: Send + Sync + 'static {
    /// Starts a text. The stream yields its parts; a stream that ends without an error is complete.
    async fn stream_text(&self, brief: &Prompt) -> Result<TextStream, ModelError>;
}

pub type TextStream = BoxStream<'static, Result<String, ModelError>>;

/// Details are for the log and never contain the question or the text.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ModelError {
    #[error("unreachable: {0}")]
    Unreachable(String),
    #[error("busy: {0}")]
    Busy(String),
    /// Wrong key, no credit, unknown model or invalid request: an operator must change a setting.
    #[error("rejected: {code}")]
    Rejected { code: String },
    #[error("the model declines to answer")]
    Declined,
    #[error("incomplete: {0}")]
    Incomplete(String),
}
