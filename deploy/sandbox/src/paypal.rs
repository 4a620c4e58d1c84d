//! The PayPal simulator: catalog, subscriptions, refunds and webhooks.
//!
//! In reading order: `api` (the endpoints), `subscription`, `plan_terms`, `sale`, `buyers` (the objects), `billing` (renewals and
//! retries), `events` and `webhook_signature` (webhooks), `approval` and `browser` (the buyer's page), `state`.

use std::sync::Arc;

use crate::engine::{
    environment::Environment,
    simulator::{Provider, WebhookRequest},
    webhooks::queue::Delivery,
};

pub mod api;
mod approval;
mod billing;
pub mod browser;
mod buyers;
mod error;
mod events;
mod plan_terms;
mod provider;
mod reversals;
mod sale;
pub mod state;
mod subscription;
mod webhook_signature;

pub use approval::{ApprovalError, Decision};
pub use buyers::Buyer;
pub use provider::{Paypal, PaypalProvider, Settings};

use provider::Context;
use state::{PaypalState, Webhook};

impl Paypal {
    pub fn open(
        public_url: &str,
        settings: &Settings,
        environment: Arc<Environment>,
        mut state: PaypalState,
    ) -> Self {
        state.webhooks.remove(&settings.webhook_id);
        let provider = PaypalProvider {
            url: format!("{public_url}/paypal"),
            client_id: settings.client_id.clone(),
            client_secret: settings.client_secret.clone(),
        };
        let simulator = Self::new(provider, environment, state);
        if let Some(url) = &settings.webhook_url {
            simulator.listen(url, &settings.webhook_id);
        }
        simulator
    }

    /// Sends every later event to this URL.
    pub fn listen(&self, url: &str, webhook_id: &str) {
        let webhook = Webhook {
            id: webhook_id.to_owned(),
            url: url.to_owned(),
            event_types: vec!["*".into()],
        };
        self.update(|state| state.webhooks.put(webhook_id, webhook));
    }
}

impl Provider for PaypalProvider {
    type State = PaypalState;
    type Trigger = ();

    /// Twenty-five attempts within three days.
    const RETRY_DELAYS_SECS: &'static [i64] = &[
        60, 120, 300, 600, 1_200, 1_800, 3_600, 3_600, 3_600, 3_600, 3_600, 16_800, 16_800, 16_800, 16_800,
        16_800, 16_800, 16_800, 16_800, 16_800, 16_800, 16_800, 16_800, 16_800,
    ];

    fn on_timer(ctx: &mut Context<'_>, id: &str) {
        billing::on_timer(ctx, id);
    }

    fn webhook_request(&self, state: &PaypalState, delivery: &Delivery, now: i64) -> Option<WebhookRequest> {
        let webhook = state.webhooks.get(&delivery.endpoint)?;
        let body = state.events.get(&delivery.event)?.to_string().into_bytes();
        let mut headers = webhook_signature::headers(self, &webhook.id, &body, now);
        headers.push(("content-type", "application/json".into()));
        headers.push(("user-agent", "PayPal/AUHD-214.0-58843756".into()));
        Some(WebhookRequest {
            url: webhook.url.clone(),
            headers,
            body,
        })
    }
}
