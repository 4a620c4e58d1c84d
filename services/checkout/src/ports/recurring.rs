//! Charges without the buyer there: of what a provider kept of their first payment, whenever we ask.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;

use super::ProviderError;
use crate::domain::billing::{Means, TryState};

#[async_trait]
pub trait RecurringProvider: Send + Sync + 'static {
    /// What is kept of a payment that is paid.
    async fn kept(&self, provider_payment_id: &str) -> Result<Kept, ProviderError>;

    /// The same by a notification that was proven when it was stored, for a provider that tells it only there.
    fn means_told(&self, _body: &[u8]) -> Option<Means> {
        None
    }

    /// Charges at once, or says that it takes longer. `Declined` and `Rejected`: nothing was taken by this call.
    async fn charge(&self, charge: &NewCharge) -> Result<SeenCharge, ProviderError>;

    async fn fetch_charge(&self, provider_payment_id: &str) -> Result<SeenCharge, ProviderError>;

    /// Looks for what was asked for under this key at that time, when its answer was lost.
    async fn find_charge(
        &self,
        key: &str,
        asked_at: DateTime<Utc>,
    ) -> Result<Option<SeenCharge>, ProviderError>;

    /// For how long a charge asked for once more under its key is the same charge.
    fn keys_live(&self) -> TimeDelta;
}

#[derive(Debug, Clone)]
pub struct NewCharge {
    pub key: String,
    pub means_id: String,
    pub amount: Money,
    pub description: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Kept {
    pub paid_at: DateTime<Utc>,
    /// `None`: nothing.
    pub means: Option<Means>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeenCharge {
    pub provider_payment_id: String,
    /// Never `Asked`: the provider has it.
    pub state: TryState,
}
