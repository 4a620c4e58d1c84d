//! The outside world, each by its own protocol.

pub mod paypal;
pub mod platron;
pub mod stripe;
mod transport;
pub mod yookassa;

use crate::domain::notice::Notice;
use crate::domain::provider::Provider;
use crate::ports::WebhookFault;

/// What a stored notification is about, where nobody is set up to be asked.
pub fn read_stored(provider: Provider, body: &[u8]) -> Result<Notice, WebhookFault> {
    match provider {
        Provider::Stripe => stripe::read_webhook(body),
        Provider::Paypal => paypal::read_webhook(body),
        Provider::Yookassa => yookassa::read_webhook(body),
        Provider::Platron => platron::read_webhook(body),
    }
}
