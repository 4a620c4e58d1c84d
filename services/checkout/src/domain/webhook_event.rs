//! A provider's webhook event: names the object to fetch.

use std::collections::BTreeMap;
use std::time::Duration;

use kit::backoff::Backoff;
use kit::due_queue::{GiveUpAfter, RetryPolicy};

use super::ids::PaymentId;

/// Upper bound of a webhook body.
pub const BODY_BYTES_MAX: usize = 256 * 1024;
const ID_BYTES_MAX: usize = 255;

/// Of the processing of a stored event. The last attempt comes about half an hour after the first.
pub const RETRIES: RetryPolicy = RetryPolicy {
    backoff: Backoff::new(Duration::from_secs(4), Duration::from_secs(1024)),
    give_up_after: GiveUpAfter::Attempts(10),
};

/// A webhook request as received.
#[derive(Debug, Clone, Default)]
pub struct WebhookRequest {
    pub body: Vec<u8>,
    /// The signature header, where one header is enough.
    pub signature: String,
    /// The headers that prove it, by lower-case name.
    pub headers: BTreeMap<String, String>,
    /// The last path segment of the webhook URL, where the signature covers it.
    pub script: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct WebhookEvent {
    pub event_id: String,
    pub kind: String,
    pub object: WebhookObject,
    /// The provider's customer id.
    pub customer: Option<String>,
}

impl WebhookEvent {
    /// Provider ids and kinds are short and plain. Anything else is rejected and not stored.
    pub fn is_well_formed(&self) -> bool {
        if matches!(self.object, WebhookObject::PreAuthorization(_)) {
            // Answered and never stored.
            return true;
        }
        let names = [Some(self.event_id.as_str()), Some(self.kind.as_str())];
        let ids = [self.object.id(), self.customer.as_deref()];
        names.iter().chain(&ids).flatten().all(|text| is_plain(text))
            && ids.iter().flatten().all(|id| !id.contains('/'))
    }
}

fn is_plain(text: &str) -> bool {
    (1..=ID_BYTES_MAX).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_graphic())
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum WebhookObject {
    Subscription(String),
    PaymentIntent(String),
    /// The refunds of what this intent captured.
    RefundsOf(String),
    /// A reversal by the buyer's bank; only the provider can name its payment.
    Reversal(String),
    /// The provider's pre-payment check for this reference.
    PreAuthorization(String),
    /// Not handled here.
    Other,
}

impl WebhookObject {
    /// The provider's id.
    pub fn id(&self) -> Option<&str> {
        match self {
            Self::Subscription(id)
            | Self::PaymentIntent(id)
            | Self::RefundsOf(id)
            | Self::Reversal(id)
            | Self::PreAuthorization(id) => Some(id),
            Self::Other => None,
        }
    }

    /// A closed set for metrics, unlike the provider's kinds.
    pub fn label(&self) -> &'static str {
        match self {
            Self::Subscription(_) => "subscription",
            Self::PaymentIntent(_) => "payment_intent",
            Self::RefundsOf(_) => "refund",
            Self::Reversal(_) => "reversal",
            Self::PreAuthorization(_) => "may_pay",
            Self::Other => "other",
        }
    }

    /// Whether the object is fetched while the webhook is handled. Refunds are left to their reconciler.
    pub fn is_fetched_at_once(&self) -> bool {
        matches!(
            self,
            Self::Subscription(_) | Self::PaymentIntent(_) | Self::Reversal(_)
        )
    }
}

/// Result of replaying a stored webhook event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ReplayOutcome {
    /// The reconciler fetches the payment next.
    Scheduled(PaymentId),
    /// The event concerns no object of this installation.
    Foreign,
    /// The member is erased: only the receipt of the event is stored.
    Erased,
    Unknown,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum IngestResult {
    First {
        /// The object must be fetched now. Otherwise its sync is scheduled, or it is not ours.
        needs_fetch: bool,
    },
    Duplicate,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn notice(event_id: &str, subject: WebhookObject) -> WebhookEvent {
        WebhookEvent {
            event_id: event_id.to_owned(),
            kind: "payment.succeeded".to_owned(),
            object: subject,
            customer: None,
        }
    }

    #[test]
    fn ids_are_short_and_plain() {
        assert!(notice("payment.succeeded/2c1", WebhookObject::Subscription("2c1".into())).is_well_formed());
        assert!(notice("evt_1", WebhookObject::Other).is_well_formed());
        let long = "a".repeat(256);
        for id in ["", "a\0b", "a b", "a\u{301}", long.as_str()] {
            assert!(!notice(id, WebhookObject::Other).is_well_formed(), "{id:?}");
            let subject = WebhookObject::RefundsOf(id.into());
            assert!(!notice("evt_1", subject).is_well_formed(), "{id:?}");
        }
        assert!(!notice("evt_1", WebhookObject::Subscription("a/b".into())).is_well_formed());
    }
}
