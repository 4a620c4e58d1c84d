//! REST endpoints: a module per service behind them, `site` for the gateway's own, and what they extract from requests: caller, body, key.
pub mod analytics;
pub mod auth;
pub mod body;
pub mod checkout;
pub mod client;
pub mod content;
mod idempotency;
pub mod sessions;
pub mod site;
mod tracking;
pub mod viewer;
