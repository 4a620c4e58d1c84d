//! Schedule of a merchant-initiated subscription: which period is charged when, and when charging stops.
//! Its charges are converted to a `SubscriptionSnapshot`, so that one rule applies to every provider.

mod actions;
mod snapshot;

use chrono::{DateTime, Utc};
use kit::money::Money;

pub use actions::{Action, apply_change, may_charge, next_action};
pub use snapshot::to_snapshot;

use super::billing_state::Card;
use crate::domain::ids::SubscriptionId;
use crate::domain::payment::Decline;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MerchantSchedule {
    pub subscription_id: SubscriptionId,
    /// `None`: the provider saved no method that can be charged again.
    pub payment_method: Option<PaymentMethod>,
    /// Periods are counted from here.
    pub anchor: DateTime<Utc>,
    pub period_months: u32,
    pub paid_until: DateTime<Utc>,
    /// No period begins before then.
    pub resumes_at: Option<DateTime<Utc>>,
    /// Nothing is charged from this moment on.
    pub ended_at: Option<DateTime<Utc>>,
}

/// A payment method that a provider saved for off-session charges.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PaymentMethod {
    pub payment_method_id: String,
    pub expires_at: Option<DateTime<Utc>>,
    pub card: Option<Card>,
}

/// One period to be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    pub charge_id: String,
    pub amount: Money,
    pub period_start: DateTime<Utc>,
    pub period_end: DateTime<Utc>,
    pub state: ChargeState,
    /// Earliest first.
    pub attempts: Vec<ChargeAttempt>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChargeState {
    Open,
    Paid,
    /// It is never charged again.
    Closed,
}

/// One attempt to charge it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ChargeAttempt {
    pub key: String,
    pub state: ChargeAttemptState,
    pub provider_payment_id: Option<String>,
    pub intended_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ChargeAttemptState {
    /// Committed here; it is unknown whether the provider received it.
    Intended,
    /// The provider received it and has not finished.
    Pending,
    Paid {
        captured: Money,
        at: DateTime<Utc>,
    },
    Declined(Decline),
    /// The provider never received it.
    Closed,
}

impl ChargeAttempt {
    pub fn intend(key: String, now: DateTime<Utc>) -> Self {
        Self {
            key,
            state: ChargeAttemptState::Intended,
            provider_payment_id: None,
            intended_at: now,
        }
    }

    pub fn is_unresolved(&self) -> bool {
        matches!(
            self.state,
            ChargeAttemptState::Intended | ChargeAttemptState::Pending
        )
    }
}

impl Charge {
    /// The attempt whose outcome is unknown.
    pub fn unresolved(&self) -> Option<&ChargeAttempt> {
        self.attempts.iter().find(|it| it.is_unresolved())
    }

    /// Code of the latest decline.
    pub fn decline(&self) -> Option<&Decline> {
        self.attempts.iter().rev().find_map(|it| match &it.state {
            ChargeAttemptState::Declined(decline) => Some(decline),
            _ => None,
        })
    }

    fn paid(&self) -> Option<(&ChargeAttempt, Money, DateTime<Utc>)> {
        self.attempts.iter().find_map(|it| match &it.state {
            ChargeAttemptState::Paid { captured, at } => Some((it, *captured, *at)),
            _ => None,
        })
    }
}

#[cfg(test)]
mod tests;

#[cfg(test)]
mod model_tests;
