//! The result of a provider call about a payment: its subscription and charge, in domain terms.

use chrono::{DateTime, Utc};
use kit::money::Money;

use crate::domain::ids::PaymentId;
use crate::domain::payment::intent::IntentSnapshot;
use crate::domain::payment::{Decline, PaymentState};

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
pub enum ProviderResult<S = PaymentSnapshot> {
    Snapshot(S),
    /// Refused before anything was created there.
    Refused(Decline),
    /// This call had no effect. An earlier one may have had one.
    NotSent,
    /// No usable response: the call may or may not have had its effect.
    OutcomeUnknown,
    /// The provider does not have it, and can no longer receive it.
    NotFoundAtProvider,
}

/// The result of a provider call about a one-time payment.
pub type IntentResult = ProviderResult<IntentSnapshot>;

/// The provider's state of a payment of either kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Snapshot {
    Subscription(PaymentSnapshot),
    Intent(IntentSnapshot),
}

impl From<PaymentSnapshot> for Snapshot {
    fn from(snapshot: PaymentSnapshot) -> Self {
        Self::Subscription(snapshot)
    }
}

impl From<IntentSnapshot> for Snapshot {
    fn from(snapshot: IntentSnapshot) -> Self {
        Self::Intent(snapshot)
    }
}

impl Snapshot {
    pub fn subscription(self) -> Option<PaymentSnapshot> {
        match self {
            Self::Subscription(snapshot) => Some(snapshot),
            Self::Intent(_) => None,
        }
    }

    pub fn intent(self) -> Option<IntentSnapshot> {
        match self {
            Self::Intent(snapshot) => Some(snapshot),
            Self::Subscription(_) => None,
        }
    }
}

impl<S> ProviderResult<S> {
    /// The same result with a converted snapshot. `None`: it cannot be converted.
    pub fn try_map<T>(self, convert: impl FnOnce(S) -> Option<T>) -> Option<ProviderResult<T>> {
        Some(match self {
            Self::Snapshot(snapshot) => ProviderResult::Snapshot(convert(snapshot)?),
            Self::Refused(decline) => ProviderResult::Refused(decline),
            Self::NotSent => ProviderResult::NotSent,
            Self::OutcomeUnknown => ProviderResult::OutcomeUnknown,
            Self::NotFoundAtProvider => ProviderResult::NotFoundAtProvider,
        })
    }

    /// `Err`: the snapshot, whose rule depends on the kind of order. Every other result changes only the state of a payment
    /// that the provider has not confirmed.
    pub fn state_without_snapshot(&self, state: PaymentState) -> Result<PaymentState, &S> {
        Ok(match (self, state) {
            (Self::Snapshot(snapshot), _) => return Err(snapshot),
            (Self::Refused(decline), PaymentState::Intended | PaymentState::Unknown) => {
                PaymentState::Failed {
                    decline: decline.clone(),
                }
            }
            (Self::NotSent, PaymentState::Intended) => PaymentState::Failed { decline: not_sent() },
            (Self::OutcomeUnknown, PaymentState::Intended) => PaymentState::Unknown,
            (Self::NotFoundAtProvider, PaymentState::Intended | PaymentState::Unknown) => {
                PaymentState::Canceled
            }
            (_, unchanged) => unchanged,
        })
    }
}

fn not_sent() -> Decline {
    Decline {
        code: "provider_unavailable".to_owned(),
        message:
            "The payment provider cannot be reached. Your card was not charged; please try again in a moment."
                .to_owned(),
    }
}
