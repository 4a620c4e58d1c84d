//! The parts of the interface that Platron implements. Its capabilities are listed in `domain/provider.rs`.

use super::Platron;
use crate::domain::provider::Provider;
use crate::ports::{
    HostedCheckoutProvider, PaymentProvider, ProviderError, RecurringProvider, WebhookReader,
};

impl PaymentProvider for Platron {
    fn id(&self) -> Provider {
        Provider::Platron
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
