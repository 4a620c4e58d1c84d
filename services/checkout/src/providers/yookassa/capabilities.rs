//! The parts of the interface that YooKassa implements. Its capabilities are listed in `domain/provider.rs`.

use super::Yookassa;
use crate::domain::provider::Provider;
use crate::ports::{
    HostedCheckoutProvider, PaymentProvider, ProviderError, RecurringProvider, WebhookReader,
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
