//! What a provider says about a subscription and the charge behind it, in our words.

use chrono::{DateTime, Utc};
use kit::money::Money;

use super::ids::PaymentId;
use super::payment::Decline;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Snapshot {
    pub provider_subscription_id: String,
    /// Which attempt created it, from the metadata we sent along.
    pub payment_id: Option<PaymentId>,
    pub provider_intent_id: Option<String>,
    pub status: ProviderStatus,
    pub period_end: DateTime<Utc>,
    pub charge: Charge,
}

impl Snapshot {
    pub fn has_ended(&self) -> bool {
        matches!(self.status, ProviderStatus::Canceled | ProviderStatus::Expired)
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderStatus {
    Incomplete,
    Trialing,
    /// For a period, by a provider that charges only when it is asked to: what comes after is not its to tell.
    Paid,
    Active,
    PastDue,
    Canceled,
    /// The first payment never came.
    Expired,
}

/// The charge that stands behind the subscription's latest invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Charge {
    /// A trial: nothing to charge yet.
    NotDue,
    /// A trial whose card must be authenticated first.
    SetupRequired {
        client_secret: String,
    },
    Processing,
    ActionRequired {
        client_secret: String,
    },
    Declined(Decline),
    Captured(Money),
    /// It can no longer be charged.
    Closed,
}

/// The outcome of talking to a provider about one payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Report {
    Snapshot(Snapshot),
    /// Refused before anything was created there.
    Refused(Decline),
    /// The provider was not reached: this call did nothing. An earlier one still may have.
    Unreached,
    /// No usable answer: whatever was asked may or may not have happened.
    NoAnswer,
    /// The provider has never heard of it, and can no longer come to.
    NeverArrived,
}
