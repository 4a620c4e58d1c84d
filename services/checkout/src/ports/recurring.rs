//! Merchant-initiated charges with the payment method that the provider saved.

use async_trait::async_trait;
use chrono::{DateTime, TimeDelta, Utc};
use kit::money::Money;

use super::ProviderError;
use crate::domain::subscription::merchant_schedule::{ChargeAttemptState, PaymentMethod};

#[async_trait]
pub trait RecurringProvider: Send + Sync + 'static {
    /// The payment method saved with a paid payment.
    async fn saved_payment_method(
        &self,
        provider_payment_id: &str,
    ) -> Result<SavedPaymentMethod, ProviderError>;

    /// The same from a stored webhook body, for a provider that returns it only there.
    fn payment_method_in_webhook(&self, _body: &[u8]) -> Option<PaymentMethod> {
        None
    }

    /// Charges, or returns a pending charge. `Declined` and `Rejected`: this call captured nothing.
    async fn charge(&self, charge: &NewCharge) -> Result<ObservedCharge, ProviderError>;

    async fn fetch_charge(&self, provider_payment_id: &str) -> Result<ObservedCharge, ProviderError>;

    /// Finds the charge of this key and time when its response was lost.
    async fn find_charge(
        &self,
        key: &str,
        asked_at: DateTime<Utc>,
    ) -> Result<Option<ObservedCharge>, ProviderError>;

    /// How long a repeated key returns the same charge.
    fn keys_valid_for(&self) -> TimeDelta;
}

#[derive(Debug, Clone)]
pub struct NewCharge {
    pub key: String,
    pub payment_method_id: String,
    pub amount: Money,
    pub description: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SavedPaymentMethod {
    pub paid_at: DateTime<Utc>,
    /// `None`: nothing.
    pub payment_method: Option<PaymentMethod>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ObservedCharge {
    pub provider_payment_id: String,
    /// Never `Asked`: the provider has it.
    pub state: ChargeAttemptState,
}
