//! The YooKassa simulator: payments, saved cards, refunds and notifications.
//!
//! In reading order: `api` (the endpoints), `payment` and `cards` (the objects), `payment_lifecycle` (state transitions),
//! `notifications`, `payment_page` and `browser` (the buyer's page), `state`.

use std::sync::Arc;

use crate::engine::{
    environment::Environment,
    simulator::{Provider, WebhookRequest, WebhookResponse},
    webhooks::queue::Delivery,
};

pub mod api;
pub mod browser;
mod cards;
mod notifications;
mod payment;
mod payment_lifecycle;
mod payment_page;
mod provider;
pub mod state;

pub use payment_page::{BuyerAction, Card, Outcome, PaymentPageError, ThreeDSecure};
pub use provider::{Settings, Yookassa, YookassaProvider};

use provider::Context;
use state::YookassaState;

impl Yookassa {
    pub fn open(
        public_url: &str,
        settings: &Settings,
        environment: Arc<Environment>,
        mut state: YookassaState,
    ) -> Self {
        state.webhook_url.clone_from(&settings.webhook_url);
        let provider = YookassaProvider {
            url: format!("{public_url}/yookassa"),
            shop_id: settings.shop_id.clone(),
            secret_key: settings.secret_key.clone(),
        };
        Self::new(provider, environment, state)
    }

    /// Sends every later notification to this URL.
    pub fn listen(&self, url: &str) {
        self.update(|state| state.webhook_url = Some(url.to_owned()));
    }
}

impl Provider for YookassaProvider {
    type State = YookassaState;
    type Trigger = ();

    /// Within twenty-four hours.
    const RETRY_DELAYS_SECS: &'static [i64] = &[
        10, 60, 300, 900, 1_800, 3_600, 7_200, 10_800, 10_800, 10_800, 10_800, 10_800, 10_800,
    ];

    fn on_timer(ctx: &mut Context<'_>, id: &str) {
        payment_lifecycle::on_timer(ctx, id);
    }

    fn webhook_request(&self, state: &YookassaState, delivery: &Delivery, _: i64) -> Option<WebhookRequest> {
        Some(WebhookRequest {
            url: state.webhook_url.clone()?,
            headers: vec![
                ("content-type", "application/json".into()),
                ("user-agent", "AHC/2.1".into()),
            ],
            body: state.notifications.get(&delivery.event)?.to_string().into_bytes(),
        })
    }

    fn on_webhook_response(_: &mut Context<'_>, _: &Delivery, response: Option<&WebhookResponse>) -> bool {
        response.is_some_and(|response| response.status == 200)
    }
}
