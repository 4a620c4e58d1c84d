//! The merchant's account at PayPal.

use crate::engine::simulator::{self, Simulator};

/// The credentials and webhook of the product at PayPal.
#[derive(Clone, Debug)]
pub struct Settings {
    pub client_id: String,
    pub client_secret: String,
    /// Receives every event from the start.
    pub webhook_url: Option<String>,
    pub webhook_id: String,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            client_id: "paypal-client-stillpoint".into(),
            client_secret: "paypal-secret-stillpoint".into(),
            webhook_url: None,
            webhook_id: "9SB12345ST67890PT".into(),
        }
    }
}

pub struct PaypalProvider {
    /// Base URL of the simulator.
    pub url: String,
    pub client_id: String,
    pub client_secret: String,
}

impl PaypalProvider {
    /// The page on which a buyer approves a subscription.
    pub fn approval_url(&self, token: &str) -> String {
        format!("{}/webapps/billing/subscriptions?ba_token={token}", self.url)
    }
}

pub type Context<'a> = simulator::Context<'a, PaypalProvider>;

pub type Paypal = Simulator<PaypalProvider>;
