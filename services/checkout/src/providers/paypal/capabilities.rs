//! The parts of the interface that PayPal implements. Its capabilities are listed in `domain/provider.rs`.

use super::Paypal;
use crate::domain::provider::Provider;
use crate::ports::{ApprovalProvider, BillingProvider, PaymentProvider, ProviderError, WebhookReader};

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
