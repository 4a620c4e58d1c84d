//! The Stripe simulator: Stripe's public protocol at one API version.
//!
//! In reading order: `api` (the path of a call), `endpoints` (routing and handlers), `protocol` (form, parameters, keys, errors),
//! `context`, `lists`, `expand` (what handlers work with), `cards` and `billing` (how money moves), `webhooks`,
//! `test_controls`, `browser`, `state`.

use std::sync::Arc;

use crate::engine::{
    environment::Environment,
    simulator::{Provider, WebhookRequest},
    webhooks::queue::Delivery,
};

mod api;
mod billing;
pub mod browser;
mod cards;
mod context;
mod endpoints;
mod expand;
mod lists;
pub mod object_kind;
mod protocol;
mod provider;
pub mod state;
mod subscription_timer;
mod test_controls;
mod webhooks;

pub use provider::{API_VERSION, Settings, Stripe, StripeProvider, Webhook};

use object_kind::Kind;
use provider::{Context, Trigger};
use state::StripeState;
use webhooks::{endpoint, events, signature};

/// The id of the webhook endpoint from the settings.
const CONFIGURED_ENDPOINT: &str = "we_1configured";

impl Stripe {
    pub fn open(
        public_url: &str,
        settings: &Settings,
        environment: Arc<Environment>,
        mut state: StripeState,
    ) -> Self {
        state.remove(Kind::WebhookEndpoint, CONFIGURED_ENDPOINT);
        let now = environment.now();
        let simulator = Self::new(StripeProvider::new(public_url, settings), environment, state);
        if let Some(webhook) = &settings.webhook {
            simulator.listen(webhook, now);
        }
        simulator
    }

    /// Sends these events to this URL from now on.
    pub fn listen(&self, webhook: &Webhook, now: i64) {
        let endpoint = endpoint::build(CONFIGURED_ENDPOINT, webhook, now);
        self.update(|state| state.put(Kind::WebhookEndpoint, endpoint));
    }

    /// Requests of servers that Stripe's API would reject as unknown or malformed.
    pub fn unsupported_requests(&self) -> Vec<String> {
        self.provider.unsupported_requests()
    }
}

impl Provider for StripeProvider {
    type State = StripeState;
    type Trigger = Trigger;

    /// About three days in all.
    const RETRY_DELAYS_SECS: &'static [i64] = &[
        5, 30, 300, 1_800, 7_200, 18_000, 36_000, 43_200, 43_200, 43_200, 43_200,
    ];

    fn on_timer(ctx: &mut Context<'_>, id: &str) {
        billing::timers::on_timer(ctx, id);
    }

    fn webhook_request(&self, state: &StripeState, delivery: &Delivery, now: i64) -> Option<WebhookRequest> {
        let endpoint = state.get(Kind::WebhookEndpoint, &delivery.endpoint)?;
        let event = events::load(state, &delivery.event)?;
        let body = serde_json::to_vec_pretty(&event).ok()?;
        let signature = signature::sign(endpoint["_secret"].as_str()?, now, &body);
        Some(WebhookRequest {
            url: endpoint["url"].as_str()?.to_owned(),
            headers: vec![
                ("content-type", "application/json; charset=utf-8".into()),
                (
                    "user-agent",
                    "Stripe/1.0 (+https://stripe.com/docs/webhooks)".into(),
                ),
                ("stripe-signature", signature),
            ],
            body,
        })
    }
}
