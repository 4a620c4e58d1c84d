//! What members change of a subscription at a provider.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::money::Money;

use super::ProviderError;

/// Whoever repeats a call with the same idempotency key must send the same words.
#[async_trait]
pub trait ChangeProvider: Send + Sync + 'static {
    async fn change(
        &self,
        provider_subscription_id: &str,
        change: &Change,
        key: &str,
    ) -> Result<(), ProviderError>;

    /// What the plan would be charged at once, to the minor unit, and what then each period.
    async fn preview_plan(
        &self,
        provider_subscription_id: &str,
        plan: &NewPlan,
    ) -> Result<Money, ProviderError>;

    /// Has the plan begin when what is paid for ends, and says when that is. Nothing is charged for it before.
    async fn schedule_plan(
        &self,
        provider_subscription_id: &str,
        plan: &LaterPlan,
        key: &str,
    ) -> Result<DateTime<Utc>, ProviderError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Change {
    CancelAtPeriodEnd,
    Keep,
    /// It is the customer's already.
    Card {
        payment_method_id: String,
    },
    Pause {
        until: DateTime<Utc>,
    },
    /// Before anything was skipped, or anew from now on.
    Resume(Resumption),
    /// Charges the difference, or changes nothing.
    Plan(NewPlan),
    /// Nothing is scheduled any more.
    KeepPlan,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Resumption {
    AsIfNever,
    /// A new period begins, and is charged.
    Anew,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct NewPlan {
    pub provider_price_id: String,
    pub prorated_at: DateTime<Utc>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LaterPlan {
    pub provider_price_id: String,
    pub period_months: i32,
}
