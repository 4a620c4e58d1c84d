//! The parts of the interface that Stripe implements. Its capabilities are listed in `domain/provider.rs`.

use super::Stripe;
use crate::domain::provider::Provider;
use crate::ports::{BillingProvider, OwnPageProvider, PaymentProvider, ProviderError, WebhookReader};

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
