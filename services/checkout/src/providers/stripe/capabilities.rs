//! What Stripe can do.

use super::Stripe;
use crate::domain::provider::{Capabilities, CheckoutMode, Provider, RenewalMode};
use crate::domain::subscription::subscription_change::ChangeKind;
use crate::ports::{BillingProvider, OwnPageProvider, PaymentProvider, ProviderError, WebhookReader};

pub const CAPABILITIES: Capabilities = Capabilities {
    checkout: CheckoutMode::OwnPage,
    renewals: RenewalMode::ProviderBilled,
    changes: &[
        ChangeKind::Cancel,
        ChangeKind::Reactivate,
        ChangeKind::Card,
        ChangeKind::Pause,
        ChangeKind::Resume,
        ChangeKind::Plan,
        ChangeKind::CancelScheduledPlan,
    ],
    free_trials: true,
    customers: true,
    is_exclusive: false,
    payment_events: false,
};

impl PaymentProvider for Stripe {
    fn id(&self) -> Provider {
        Provider::Stripe
    }

    fn webhooks(&self) -> &dyn WebhookReader {
        &self.webhooks
    }

    fn own_page(&self) -> Result<&dyn OwnPageProvider, ProviderError> {
        Ok(self)
    }

    fn provider_billing(&self) -> Result<&dyn BillingProvider, ProviderError> {
        Ok(self)
    }
}
