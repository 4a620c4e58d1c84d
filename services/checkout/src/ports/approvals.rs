//! Subscriptions that a buyer makes at the provider, without us, and brings to us by their id.

use async_trait::async_trait;
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

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Approval {
    /// Whom the buyer's page made it for.
    pub custom_id: Option<String>,
    pub plan_id: String,
    /// What each period costs by what was agreed, which may differ from the plan. `None`: it cannot be told.
    pub amount: Option<Money>,
    pub email: String,
    pub full_name: String,
    /// The buyer has agreed, and has not taken that back.
    pub is_approved: bool,
    pub snapshot: Snapshot,
}
