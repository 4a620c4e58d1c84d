//! Errors of provider calls, by what is known of their effect.

use crate::domain::payment::Decline;
use crate::domain::provider::Provider;

/// Error of a provider call, by what is known of its effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// Declined by the bank; nothing was captured.
    #[error("declined: {}", .0.code)]
    Declined(Decline),
    /// The request was rejected without effect; repeating it does not help.
    #[error("refused: {code}: {detail}")]
    Rejected { code: String, detail: String },
    #[error("there is no such object")]
    NotFound,
    /// The provider is not configured in this installation.
    #[error("{} is not configured here", .0.name())]
    NotConfigured(Provider),
    /// The provider never does this. Nothing was sent.
    #[error("{} does not support {}", .0.name(), .1)]
    Unsupported(Provider, &'static str),
    /// This call had no effect: no connection, no access, or too many calls.
    #[error("not reached: {0}")]
    NotSent(String),
    /// A request with the same key is in progress.
    #[error("in progress")]
    InProgress,
    /// It is unknown whether the call had its effect.
    #[error("no answer: {0}")]
    OutcomeUnknown(String),
}
