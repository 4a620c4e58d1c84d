//! What providers tell us unasked.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::ProviderError;
use crate::domain::notice::{Delivery, Notice};

#[async_trait]
pub trait WebhookReader: Send + Sync + 'static {
    /// Proves that the provider wrote this, recently, and says what it is about. `None`: nothing that is handled here, and nothing
    /// proves it; it is acknowledged and not stored.
    async fn read(&self, delivery: &Delivery, now: DateTime<Utc>) -> Result<Option<Notice>, WebhookFault>;

    /// What is stored: the body, or only what is proven of it. [`Self::read_stored`] reads it back.
    fn kept(&self, delivery: &Delivery, _notice: &Notice) -> Vec<u8> {
        delivery.body.clone()
    }

    /// What one is about that was proven when it was stored.
    fn read_stored(&self, body: &[u8]) -> Result<Notice, WebhookFault>;

    /// What the provider wants to read back; `None` where the status says enough.
    fn answer(&self, _delivery: &Delivery, _verdict: &Verdict) -> Option<Answer> {
        None
    }
}

/// What we say to what a provider asks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    Accepted,
    /// With a reason for the buyer.
    Refused(&'static str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Answer {
    pub body: Vec<u8>,
    pub content_type: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookFault {
    #[error("the signature does not match")]
    Forged,
    #[error("the signature is too old")]
    TooOld,
    #[error("the body is not an event")]
    Unreadable,
    /// Nobody can say whether it is genuine: the provider sends it again.
    #[error("it could not be verified: {0}")]
    Unverified(#[from] ProviderError),
}
