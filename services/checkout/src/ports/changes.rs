//! Changes of a subscription at a provider.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::money::Money;

use super::ProviderError;

/// A repeated call with the same idempotency key must send the same parameters.
#[async_trait]
pub trait ChangeProvider: Send + Sync + 'static {
    async fn change(
        &self,
        provider_subscription_id: &str,
        change: &ProviderChange,
        key: &str,
    ) -> Result<(), ProviderError>;

    /// The amount due at once for the plan.
    async fn preview_plan(
        &self,
        provider_subscription_id: &str,
        plan: &NewPlan,
    ) -> Result<Money, ProviderError>;

    /// Schedules the plan for the end of the paid time and returns its start. Nothing is charged before.
    async fn schedule_plan(
        &self,
        provider_subscription_id: &str,
        plan: &LaterPlan,
        key: &str,
    ) -> Result<DateTime<Utc>, ProviderError>;
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProviderChange {
    CancelAtPeriodEnd,
    Reactivate,
    /// It is the customer's already.
    Card {
        payment_method_id: String,
    },
    Pause {
        until: DateTime<Utc>,
    },
    /// Undoes a pause before a skipped period, or begins a new period now.
    Resume(Resumption),
    /// Charges the difference, or changes nothing.
    Plan(NewPlan),
    /// Cancels the scheduled plan.
    CancelScheduledPlan,
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
