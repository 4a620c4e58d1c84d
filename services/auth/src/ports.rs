//! Traits for external systems.
use async_trait::async_trait;
use chrono::{DateTime, Utc};

use crate::domain::email::Email;
use crate::domain::mail::RenderedMail;
use crate::domain::social::{Assertion, TokenError};
use crate::domain::withdrawal::Withdrawal;

#[async_trait]
pub trait Mailer: Send + Sync + 'static {
    /// Sends a mail. Idempotent for the recipient: a repeat has the same `Message-ID`.
    async fn send(&self, mail: &RenderedMail) -> Result<(), MailerError>;
}

/// Why a mail was not sent. Holds neither content nor recipient.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MailerError {
    /// Permanently rejected.
    #[error("refused: {0}")]
    Rejected(String),
    /// Not accepted, or unknown; retried.
    #[error("not sent: {0}")]
    Deferred(String),
}

/// Checkout's data about orders and withdrawals of guests.
#[async_trait]
pub trait CheckoutClient: Send + Sync + 'static {
    /// What was declared.
    async fn withdrawal(&self, id: &str) -> Result<Withdrawal, CheckoutError>;
    /// Whose order it is, of one without an account.
    async fn guest(&self, order_id: &str) -> Result<Email, CheckoutError>;
}

/// Says nothing of whom it is about.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum CheckoutError {
    #[error("they are erased, or never were")]
    Gone,
    #[error("no answer: {0}")]
    Unavailable(String),
}

impl From<CheckoutError> for MailerError {
    fn from(error: CheckoutError) -> Self {
        match error {
            CheckoutError::Gone => Self::Rejected(error.to_string()),
            CheckoutError::Unavailable(_) => Self::Deferred(error.to_string()),
        }
    }
}

/// Identity providers: Apple, Google, Facebook.
#[async_trait]
pub trait IdentityProvider: Send + Sync + 'static {
    /// Verifies a token with the provider. The caller checks the nonce.
    async fn verify(&self, token: &str, now: DateTime<Utc>) -> Result<Assertion, ProviderError>;
}

/// The detail is for the log: it holds neither a token nor a person.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProviderError {
    #[error("not believed: {0}")]
    InvalidToken(TokenError),
    #[error("no answer: {0}")]
    Unavailable(String),
}

impl From<TokenError> for ProviderError {
    fn from(flaw: TokenError) -> Self {
        Self::InvalidToken(flaw)
    }
}

/// A service that lists hashes of breached passwords (k-anonymity: it receives five characters of a hash).
#[async_trait]
pub trait BreachedPasswords: Send + Sync + 'static {
    /// The rest of each listed SHA-1 hash that starts with `prefix`, in upper-case hexadecimal.
    async fn suffixes(&self, prefix: &str) -> Result<Vec<String>, BreachedPasswordsError>;
}

/// There is no answer. Says nothing of the password.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no answer: {0}")]
pub struct BreachedPasswordsError(pub String);
