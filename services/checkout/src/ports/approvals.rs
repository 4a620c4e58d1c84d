//! Subscriptions that a buyer makes at the provider, without us, and brings to us by their id.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::money::Money;

use super::ProviderError;
use crate::domain::campaign::Terms;
use crate::domain::report::Snapshot;

#[async_trait]
pub trait ApprovalProvider: Send + Sync + 'static {
    /// Finds the plan that sells these terms or creates it, and returns the provider's id.
    async fn ensure_plan(&self, terms: &Terms) -> Result<String, ProviderError>;

    /// What the buyer agreed to, in the provider's own words.
    async fn fetch_approval(&self, provider_subscription_id: &str) -> Result<Approval, ProviderError>;
}

/// What the buyer has said of it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Agreement {
    Awaited,
    Given,
    /// Taken back, run out or stopped, by whomever: nothing more is taken, but something may have been.
    Over,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// Whom the buyer's page made it for.
    pub custom_id: Option<String>,
    pub plan_id: String,
    /// What each period costs by what was agreed, which may differ from the plan. `None`: it cannot be told.
    pub amount: Option<Money>,
    /// The account that agreed, the same for every subscription it makes.
    pub payer_id: Option<String>,
    pub email: String,
    pub full_name: String,
    pub agreement: Agreement,
    /// When the buyer's page asked PayPal for it.
    pub made_at: DateTime<Utc>,
    pub snapshot: Snapshot,
}
