//! A subscription and its states: those that grant access and those that end it.

use chrono::{DateTime, Utc};

use crate::domain::ids::SubscriptionId;

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum SubscriptionState {
    /// The first payment is not through.
    Incomplete,
    Trialing {
        until: DateTime<Utc>,
    },
    Active {
        period_end: DateTime<Utc>,
    },
    /// A renewal is overdue and is retried.
    PastDue {
        period_end: DateTime<Utc>,
    },
    Canceled {
        at: DateTime<Utc>,
    },
    /// It ended unpaid.
    Expired {
        at: DateTime<Utc>,
    },
}

impl SubscriptionState {
    /// Public name.
    pub fn name(&self) -> &'static str {
        match self {
            Self::Incomplete => "incomplete",
            Self::Trialing { .. } => "trialing",
            Self::Active { .. } => "active",
            Self::PastDue { .. } => "past_due",
            Self::Canceled { .. } => "canceled",
            Self::Expired { .. } => "expired",
        }
    }

    pub fn period_end(&self) -> Option<DateTime<Utc>> {
        match self {
            Self::Trialing { until: end }
            | Self::Active { period_end: end }
            | Self::PastDue { period_end: end } => Some(*end),
            Self::Incomplete | Self::Canceled { .. } | Self::Expired { .. } => None,
        }
    }

    pub fn has_ended(&self) -> bool {
        matches!(self, Self::Canceled { .. } | Self::Expired { .. })
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Subscription {
    pub subscription_id: SubscriptionId,
    pub state: SubscriptionState,
    /// When `subscription.activated` was emitted.
    pub activated_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}
