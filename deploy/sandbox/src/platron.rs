//! The Platron simulator: signed forms in, signed XML out, and signed calls to the merchant.
//!
//! In reading order: `api` (the scripts), `signature` and `xml` (the format of every message), `payment` and `error` (the objects),
//! `payment_lifecycle` (state transitions), `merchant_calls` and `merchant_responses`, `payment_page` and `browser` (the buyer's
//! page), `state`.

use std::sync::Arc;

use crate::engine::{
    environment::Environment,
    simulator::{Provider, WebhookRequest, WebhookResponse},
    webhooks::queue::Delivery,
};

pub mod api;
pub mod browser;
mod error;
mod merchant_calls;
mod merchant_responses;
mod payment;
mod payment_lifecycle;
mod payment_page;
mod provider;
pub mod signature;
pub mod state;
mod xml;

pub use payment_page::{BuyerAction, PaymentPageError};
pub use provider::{Platron, PlatronProvider, Settings};

use provider::Context;
use state::PlatronState;

impl Platron {
    pub fn open(
        public_url: &str,
        settings: &Settings,
        environment: Arc<Environment>,
        state: PlatronState,
    ) -> Self {
        let provider = PlatronProvider {
            url: format!("{public_url}/platron"),
            settings: settings.clone(),
        };
        Self::new(provider, environment, state)
    }
}

impl Provider for PlatronProvider {
    type State = PlatronState;
    type Trigger = ();

    /// Every half hour for two hours.
    const RETRY_DELAYS_SECS: &'static [i64] = &[1_800, 1_800, 1_800, 1_800];

    fn on_timer(ctx: &mut Context<'_>, id: &str) {
        payment_lifecycle::on_timer(ctx, id);
    }

    fn webhook_request(&self, state: &PlatronState, delivery: &Delivery, _: i64) -> Option<WebhookRequest> {
        let call = state.merchant_calls.get(&delivery.event)?;
        let form = url::form_urlencoded::Serializer::new(String::new())
            .extend_pairs(&call.fields)
            .finish();
        Some(WebhookRequest {
            url: call.url.clone(),
            headers: vec![("content-type", "application/x-www-form-urlencoded".into())],
            body: form.into_bytes(),
        })
    }

    fn on_webhook_response(
        ctx: &mut Context<'_>,
        delivery: &Delivery,
        response: Option<&WebhookResponse>,
    ) -> bool {
        merchant_responses::apply(ctx, &delivery.event, response)
    }
}
