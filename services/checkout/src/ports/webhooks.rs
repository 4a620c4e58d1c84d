//! Webhooks of providers.

use async_trait::async_trait;
use chrono::{DateTime, Utc};

use super::ProviderError;
use crate::domain::webhook_event::{WebhookEvent, WebhookRequest};

#[async_trait]
pub trait WebhookReader: Send + Sync + 'static {
    /// Proves that the provider wrote this, recently, and says what it is about. `None`: nothing that is handled here, and nothing
    /// proves it; it is acknowledged and not stored.
    async fn read(
        &self,
        request: &WebhookRequest,
        now: DateTime<Utc>,
    ) -> Result<Option<WebhookEvent>, WebhookError>;

    /// The bytes to store: the body, or its verified part. [`Self::read_stored`] parses them.
    fn stored_body(&self, request: &WebhookRequest, _notice: &WebhookEvent) -> Vec<u8> {
        request.body.clone()
    }

    /// Parses a stored, already verified body.
    fn read_stored(&self, body: &[u8]) -> Result<WebhookEvent, WebhookError>;

    /// The response body that the provider expects; `None` where the status is enough.
    fn answer(
        &self,
        _delivery: &WebhookRequest,
        _verdict: &PreAuthorizationDecision,
    ) -> Option<WebhookResponse> {
        None
    }
}

/// Decision of a pre-payment check.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PreAuthorizationDecision {
    Accepted,
    /// With a reason for the buyer.
    Refused(&'static str),
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookResponse {
    pub body: Vec<u8>,
    pub content_type: &'static str,
}

#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum WebhookError {
    #[error("the signature does not match")]
    Forged,
    #[error("the signature is too old")]
    TooOld,
    #[error("the body is not an event")]
    Unreadable,
    /// It cannot be verified now: the provider sends it again.
    #[error("it could not be verified: {0}")]
    Unverified(#[from] ProviderError),
}
