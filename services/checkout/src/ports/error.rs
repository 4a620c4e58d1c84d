//! How a call to a provider fails, by what is known of its effect.

use crate::domain::payment::Decline;
use crate::domain::provider::Provider;

/// Why a call gave no result, by what is known of its effect.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    /// The bank says no; nothing was taken.
    #[error("declined: {}", .0.code)]
    Declined(Decline),
    /// The request was refused as it is; nothing was done, and repeating it will not help.
    #[error("refused: {code}: {detail}")]
    Rejected { code: String, detail: String },
    #[error("there is no such object")]
    NotFound,
    /// This installation has no account with the provider. Asking again helps only after the service is configured anew.
    #[error("{} is not configured here", .0.name())]
    NotConfigured(Provider),
    /// This call had no effect: no connection, no access, or too many calls.
    #[error("not reached: {0}")]
    Unreached(String),
    /// The same request, by its key, is being worked on right now.
    #[error("in progress")]
    InProgress,
    /// It may or may not have had its effect.
    #[error("no answer: {0}")]
    NoAnswer(String),
}
