//! What a member has access by.

use chrono::{DateTime, Utc};

use super::ids::SubscriptionId;

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
    /// A later charge failed and the provider keeps trying.
    PastDue {
        period_end: DateTime<Utc>,
    },
    Canceled {
        at: DateTime<Utc>,
    },
    /// It ended without ever having been paid.
    Expired {
        at: DateTime<Utc>,
    },
}

impl SubscriptionState {
    /// The name outsiders know it by.
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
    /// When it was first announced as active.
    pub activated_at: Option<DateTime<Utc>>,
    /// When to ask the provider next; `None` when nothing more is expected.
    pub next_check_at: Option<DateTime<Utc>>,
    /// Checks since the last change.
    pub checks: i32,
    pub created_at: DateTime<Utc>,
}
