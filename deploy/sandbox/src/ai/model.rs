//! The language model's settings.

use std::{sync::Arc, time::Duration};

use crate::engine::environment::Environment;

pub struct LanguageModel {
    pub environment: Arc<Environment>,
    pub api_key: String,
    /// Between two chunks.
    pub pace: Duration,
}
