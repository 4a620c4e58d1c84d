//! Renewal charges of a subscription.

use chrono::{DateTime, Utc};
use kit::money::Money;

use crate::domain::ids::{OrderId, PaymentId, SubscriptionId};
use crate::domain::provider::Provider;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RenewalKind {
    /// Another period.
    Period,
    /// A dearer plan for the rest of a period.
    Change,
}

impl RenewalKind {
    pub fn name(self) -> &'static str {
        match self {
            Self::Period => "renewal",
            Self::Change => "change",
        }
    }

    pub fn named(name: &str) -> Option<Self> {
        match name {
            "renewal" => Some(Self::Period),
            "change" => Some(Self::Change),
            _ => None,
        }
    }
}

/// Always captured; an uncaptured charge is an overdue invoice.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Renewal {
    pub payment_id: PaymentId,
    pub order_id: OrderId,
    pub subscription_id: SubscriptionId,
    pub provider: Provider,
    pub kind: RenewalKind,
    /// Unique: one invoice is one renewal.
    pub provider_invoice_id: String,
    pub provider_intent_id: Option<String>,
    pub captured: Money,
    pub at: DateTime<Utc>,
    pub period_start: DateTime<Utc>,
    pub period_end: DateTime<Utc>,
}

impl Renewal {
    pub fn overlaps(&self, other: &Self) -> bool {
        self.period_start < other.period_end && other.period_start < self.period_end
    }
}
