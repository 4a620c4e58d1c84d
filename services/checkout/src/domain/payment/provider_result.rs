//! The result of a provider call about a payment: its subscription and charge, in domain terms.

use chrono::{DateTime, Utc};
use kit::money::Money;

use crate::domain::ids::PaymentId;
use crate::domain::payment::Decline;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentSnapshot {
    pub provider_subscription_id: String,
    /// Which attempt created it, from the metadata we sent along.
    pub payment_id: Option<PaymentId>,
    pub provider_intent_id: Option<String>,
    pub status: ProviderStatus,
    pub period_end: DateTime<Utc>,
    pub charge: Charge,
}

impl PaymentSnapshot {
    pub fn has_ended(&self) -> bool {
        matches!(self.status, ProviderStatus::Canceled | ProviderStatus::Expired)
    }

    /// The first charge is captured, or the trial has begun.
    pub fn is_accepted(&self) -> bool {
        match self.charge {
            Charge::Captured(_) => true,
            Charge::NotDue => self.status == ProviderStatus::Trialing,
            _ => false,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ProviderStatus {
    Incomplete,
    Trialing,
    /// One period is paid at a provider with merchant-initiated renewals.
    Paid,
    Active,
    PastDue,
    Canceled,
    /// The initial payment never arrived.
    Expired,
}

/// The charge of the subscription's latest invoice.
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

/// The result of a provider call about one payment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderResult {
    Snapshot(PaymentSnapshot),
    /// Refused before anything was created there.
    Refused(Decline),
    /// This call had no effect. An earlier one may have had one.
    NotSent,
    /// No usable response: the call may or may not have had its effect.
    OutcomeUnknown,
    /// The provider does not have it, and can no longer receive it.
    NotFoundAtProvider,
}
