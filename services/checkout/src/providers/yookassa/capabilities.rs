//! What YooKassa can do.

use super::Yookassa;
use crate::domain::provider::{Capabilities, CheckoutMode, Provider, RenewalMode};
use crate::domain::subscription::subscription_change::ChangeKind;
use crate::ports::{
    HostedCheckoutProvider, PaymentProvider, ProviderError, RecurringProvider, WebhookReader,
};

/// Another card would be another payment by its owner. A payment method is saved only with a payment, so there are no free trials.
pub const CAPABILITIES: Capabilities = Capabilities {
    checkout: CheckoutMode::Hosted,
    renewals: RenewalMode::MerchantBilled,
    changes: &[
        ChangeKind::Cancel,
        ChangeKind::Reactivate,
        ChangeKind::Pause,
        ChangeKind::Resume,
    ],
    free_trials: false,
    customers: false,
    is_exclusive: true,
    payment_events: false,
};

impl PaymentProvider for Yookassa {
    fn id(&self) -> Provider {
        Provider::Yookassa
    }

    fn webhooks(&self) -> &dyn WebhookReader {
        self
    }

    fn hosted_checkouts(&self) -> Result<&dyn HostedCheckoutProvider, ProviderError> {
        Ok(self)
    }

    fn recurring(&self) -> Result<&dyn RecurringProvider, ProviderError> {
        Ok(self)
    }
}
