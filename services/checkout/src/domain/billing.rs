//! Subscriptions whose provider charges only when it is asked to: which period is charged when, and when none is any more.
//! What comes of it is shown like a provider's own subscription, so that one rule follows all of them.

mod showing;
mod steps;

use chrono::{DateTime, Utc};
use kit::money::Money;

pub use showing::show;
pub use steps::{Step, may_charge, next, take_wish};

use super::ids::SubscriptionId;
use super::life::Card;
use super::payment::Decline;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Billing {
    pub subscription_id: SubscriptionId,
    /// `None`: the provider kept nothing that could be charged again.
    pub means: Option<Means>,
    /// Periods are counted from here.
    pub anchor: DateTime<Utc>,
    pub period_months: u32,
    pub paid_until: DateTime<Utc>,
    /// No period begins before then.
    pub resumes_at: Option<DateTime<Utc>>,
    /// From then on nothing is charged.
    pub ended_at: Option<DateTime<Utc>>,
}

/// What a provider keeps of a payment, to be charged again when its owner is away.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Means {
    pub means_id: String,
    pub expire_at: Option<DateTime<Utc>>,
    pub card: Option<Card>,
}

/// One period to be paid.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Charge {
    pub charge_id: String,
    pub amount: Money,
    pub covers_from: DateTime<Utc>,
    pub covers_until: DateTime<Utc>,
    pub state: ChargeState,
    /// Earliest first.
    pub tries: Vec<Try>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ChargeState {
    Open,
    Paid,
    /// It is never asked for again.
    Closed,
}

/// One time the provider was asked for it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Try {
    pub key: String,
    pub state: TryState,
    pub provider_payment_id: Option<String>,
    pub asked_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum TryState {
    /// Committed here; whether the provider has heard of it is not known yet.
    Asked,
    /// The provider has it and is not done.
    Pending,
    Paid {
        captured: Money,
        at: DateTime<Utc>,
    },
    Declined(Decline),
    /// The provider never heard of it.
    Closed,
}

impl Try {
    pub fn asked(key: String, now: DateTime<Utc>) -> Self {
        Self {
            key,
            state: TryState::Asked,
            provider_payment_id: None,
            asked_at: now,
        }
    }

    pub fn is_unresolved(&self) -> bool {
        matches!(self.state, TryState::Asked | TryState::Pending)
    }
}

impl Charge {
    /// The try whose outcome is not known.
    pub fn unresolved(&self) -> Option<&Try> {
        self.tries.iter().find(|it| it.is_unresolved())
    }

    /// What the bank said last.
    pub fn decline(&self) -> Option<&Decline> {
        self.tries.iter().rev().find_map(|it| match &it.state {
            TryState::Declined(decline) => Some(decline),
            _ => None,
        })
    }

    fn paid(&self) -> Option<(&Try, Money, DateTime<Utc>)> {
        self.tries.iter().find_map(|it| match &it.state {
            TryState::Paid { captured, at } => Some((it, *captured, *at)),
            _ => None,
        })
    }
}

#[cfg(test)]
#[path = "billing_tests.rs"]
mod tests;

#[cfg(test)]
#[path = "billing_model_tests.rs"]
mod model_tests;
