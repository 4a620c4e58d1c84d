//! The merchant's account at Platron.

use crate::engine::simulator::{self, Simulator};

/// The credentials and default callback URLs of the product at Platron.
#[derive(Clone, Debug)]
pub struct Settings {
    pub merchant_id: String,
    pub secret_key: String,
    /// Called for payments that name no URLs of their own.
    pub check_url: Option<String>,
    pub result_url: Option<String>,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            merchant_id: "82".into(),
            secret_key: "platron-secret-stillpoint".into(),
            check_url: None,
            result_url: None,
        }
    }
}

pub struct PlatronProvider {
    /// Base URL of the simulator.
    pub url: String,
    pub settings: Settings,
}

pub type Context<'a> = simulator::Context<'a, PlatronProvider>;

pub type Platron = Simulator<PlatronProvider>;
