//! Payment providers.

pub mod paypal;
pub mod platron;
pub mod stripe;
mod transport;
pub mod yookassa;

use crate::domain::provider::Provider;
use crate::domain::webhook_event::WebhookEvent;
use crate::ports::WebhookError;

/// Parses a stored webhook of a provider that is not configured.
pub fn read_stored(provider: Provider, body: &[u8]) -> Result<WebhookEvent, WebhookError> {
    match provider {
        Provider::Stripe => stripe::read_webhook(body),
        Provider::Paypal => paypal::read_webhook(body),
        Provider::Yookassa => yookassa::read_webhook(body),
        Provider::Platron => platron::read_webhook(body),
    }
}
