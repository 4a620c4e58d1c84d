//! What sessions needs from a model.
use async_trait::async_trait;
use futures::stream::BoxStream;

use crate::domain::brief::Brief;

#[async_trait]
pub trait Writer: Send + Sync + 'static {
    /// Begins a text. Its pieces come as they are written; a stream that ends without a fault is the whole text.
    async fn write(&self, brief: &Brief) -> Result<Pieces, WriterError>;
}

pub type Pieces = BoxStream<'static, Result<String, WriterError>>;

/// Why there is no text, or no more of it. The detail is for the log: it never holds what was asked or answered.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WriterError {
    #[error("not reached: {0}")]
    Unreached(String),
    #[error("too busy: {0}")]
    Busy(String),
    /// Wrong key, used-up credit, unknown model, a request it does not take: somebody must change a setting.
    #[error("refused: {code}")]
    Refused { code: String },
    #[error("the model declines to answer")]
    Declined,
    #[error("broke off: {0}")]
    BrokenOff(String),
}
