//! The merchant's account at YooKassa.

use crate::engine::simulator::{self, Simulator};

/// The credentials and webhook of the product at YooKassa.
#[derive(Clone, Debug)]
pub struct Settings {
    pub shop_id: String,
    pub secret_key: String,
    /// Receives notifications.
    pub webhook_url: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            shop_id: "100500".into(),
            secret_key: "test_yookassa-stillpoint".into(),
            webhook_url: None,
        }
    }
}

pub struct YookassaProvider {
    /// Base URL of the simulator.
    pub url: String,
    pub shop_id: String,
    pub secret_key: String,
}

pub type Context<'a> = simulator::Context<'a, YookassaProvider>;

pub type Yookassa = Simulator<YookassaProvider>;
