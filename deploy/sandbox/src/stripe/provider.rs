//! The merchant's account at Stripe.

use std::sync::{Mutex, PoisonError};

use crate::engine::simulator::{self, Simulator};

pub const API_VERSION: &str = "2026-10-28.endive";

/// The credentials and webhook of the product at Stripe.
#[derive(Clone, Debug)]
pub struct Settings {
    pub secret_key: String,
    pub publishable_key: String,
    pub webhook: Option<Webhook>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            secret_key: "sk_test_stillpoint".into(),
            publishable_key: "pk_test_stillpoint".into(),
            webhook: None,
        }
    }
}

/// The webhook endpoint that exists from the start.
#[derive(Clone, Debug)]
pub struct Webhook {
    pub url: String,
    pub secret: String,
    /// `*` is every event.
    pub events: Vec<String>,
}

pub struct StripeProvider {
    pub public_url: String,
    pub secret_key: String,
    pub publishable_key: String,
    unsupported_requests: Mutex<Vec<String>>,
}

impl StripeProvider {
    pub fn new(public_url: &str, settings: &Settings) -> Self {
        Self {
            public_url: public_url.to_owned(),
            secret_key: settings.secret_key.clone(),
            publishable_key: settings.publishable_key.clone(),
            unsupported_requests: Mutex::default(),
        }
    }

    pub fn record_unsupported(&self, request: String) {
        let mut requests = self
            .unsupported_requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        requests.push(request);
    }

    /// Requests of servers that Stripe's API would reject as unknown or malformed.
    pub fn unsupported_requests(&self) -> Vec<String> {
        self.unsupported_requests
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
            .clone()
    }
}

/// The request that causes an event. Events of timers have none.
#[derive(Clone, Debug, Default)]
pub struct Trigger {
    pub request: Option<String>,
    pub idempotency_key: Option<String>,
    pub key: ApiKey,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ApiKey {
    #[default]
    Secret,
    Publishable,
}

pub type Context<'a> = simulator::Context<'a, StripeProvider>;

pub type Stripe = Simulator<StripeProvider>;
