//! Payment providers: the only modules, besides the configuration, that name one.

pub mod paypal;
pub mod platron;
pub mod stripe;
mod transport;
pub mod yookassa;

use std::sync::Arc;

use kit::clock::Clock;
use kit::http::ClientError;

use crate::domain::provider::Provider;
use crate::domain::webhook_event::WebhookEvent;
use crate::ports::{Providers, WebhookError};

/// `CHECKOUT_PROVIDERS` enables providers; Stripe is always enabled.
pub struct ProviderSettings {
    pub stripe: stripe::Account,
    /// `PAYPAL_API_BASE`, `PAYPAL_CLIENT_ID`, `PAYPAL_CLIENT_SECRET`, `PAYPAL_WEBHOOK_ID`
    pub paypal: Option<paypal::Account>,
    /// `YOOKASSA_API_BASE`, `YOOKASSA_SHOP_ID`, `YOOKASSA_SECRET_KEY`
    pub yookassa: Option<yookassa::Account>,
    /// `PLATRON_API_BASE`, `PLATRON_MERCHANT_ID`, `PLATRON_SECRET_KEY`. Buyers return to `PUBLIC_URL`. Webhooks are sent to
    /// `PLATRON_CALLBACK_URL`, by default also `PUBLIC_URL`.
    pub platron: Option<platron::Account>,
}

impl std::fmt::Debug for ProviderSettings {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter
            .debug_struct("ProviderSettings")
            .field("stripe", &self.stripe)
            .field("paypal", &self.paypal.is_some())
            .field("yookassa", &self.yookassa.is_some())
            .field("platron", &self.platron.is_some())
            .finish()
    }
}

/// The registry of the configured providers.
pub fn connect(settings: ProviderSettings, clock: &Clock) -> Result<Providers, ClientError> {
    let mut providers = Providers::new(Arc::new(stripe::Stripe::new(settings.stripe)?));
    if let Some(account) = settings.paypal {
        providers.add(Arc::new(paypal::Paypal::new(account, clock.clone())?));
    }
    if let Some(account) = settings.yookassa {
        providers.add(Arc::new(yookassa::Yookassa::new(account)?));
    }
    if let Some(account) = settings.platron {
        providers.add(Arc::new(platron::Platron::new(account, clock.clone())?));
    }
    Ok(providers)
}

/// Parses a stored webhook, also of a provider that is not configured.
pub fn read_stored(provider: Provider, body: &[u8]) -> Result<WebhookEvent, WebhookError> {
    match provider {
        Provider::Stripe => stripe::read_webhook(body),
        Provider::Paypal => paypal::read_webhook(body),
        Provider::Yookassa => yookassa::read_webhook(body),
        Provider::Platron => platron::read_webhook(body),
    }
}

#[cfg(test)]
mod tests;
