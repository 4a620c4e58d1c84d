//! Capabilities of PayPal.

use super::Paypal;
use crate::domain::provider::{Capabilities, CheckoutMode, Provider, RenewalMode};
use crate::domain::subscription::subscription_change::ChangeKind;
use crate::ports::{ApprovalProvider, BillingProvider, PaymentProvider, ProviderError, WebhookReader};

/// PayPal manages cards itself, and a cancellation is final.
pub const CAPABILITIES: Capabilities = Capabilities {
    checkout: CheckoutMode::Approval,
    renewals: RenewalMode::ProviderBilled,
    changes: &[ChangeKind::Cancel, ChangeKind::Pause, ChangeKind::Resume],
    free_trials: true,
    customers: false,
    is_exclusive: false,
    payment_events: false,
};

impl PaymentProvider for Paypal {
    fn id(&self) -> Provider {
        Provider::Paypal
    }

    fn webhooks(&self) -> &dyn WebhookReader {
        self
    }

    fn approvals(&self) -> Result<&dyn ApprovalProvider, ProviderError> {
        Ok(self)
    }

    fn provider_billing(&self) -> Result<&dyn BillingProvider, ProviderError> {
        Ok(self)
    }
}
