//! What the tests share: the service under test, the simulated providers and helpers.

pub mod campaign_files;
pub mod fake_provider;
pub mod subscription_probe;
pub mod test_env;
