//! Payment providers: the only modules, besides the configuration, that name one.

pub mod paypal;
pub mod platron;
pub mod stripe;
mod transport;
pub mod yookassa;

use std::sync::Arc;

use kit::clock::Clock;
use kit::http::ClientError;

use crate::config::ProviderSettings;
use crate::domain::provider::Provider;
use crate::domain::webhook_event::WebhookEvent;
use crate::ports::{Providers, WebhookError};

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
