//! Subscriptions that a buyer approves at the provider and links by id.

use async_trait::async_trait;
use chrono::{DateTime, Utc};
use kit::money::Money;

use super::{PaymentProvider, ProviderError};
use crate::domain::payment::provider_result::PaymentSnapshot;
use crate::domain::pricing::campaign::Terms;

#[async_trait]
pub trait ApprovalProvider: PaymentProvider {
    /// Finds the plan that sells these terms or creates it, and returns the provider's id.
    async fn ensure_plan(&self, terms: &Terms) -> Result<String, ProviderError>;

    /// Fetches the approval.
    async fn fetch_approval(&self, provider_subscription_id: &str)
    -> Result<ObservedApproval, ProviderError>;
}

/// State of an approval.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ApprovalState {
    Pending,
    Approved,
    /// Revoked, expired or stopped: nothing more is captured, but something may have been.
    Ended,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedApproval {
    /// The member id that the buyer's page set.
    pub custom_id: Option<String>,
    pub plan_id: String,
    /// The agreed amount per period, which may differ from the plan. `None`: unknown.
    pub amount: Option<Money>,
    /// The account that agreed, the same for every subscription it makes.
    pub payer_id: Option<String>,
    pub email: String,
    pub full_name: String,
    pub state: ApprovalState,
    /// When the buyer's page requested it.
    pub made_at: DateTime<Utc>,
    pub snapshot: PaymentSnapshot,
}
