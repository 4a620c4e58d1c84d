//! REST endpoints: a module per service behind them, `site` for the gateway's own, and the request parts they share.
pub mod analytics;
pub mod auth;
pub mod body;
pub mod checkout;
pub mod content;
mod idempotency;
pub mod sessions;
pub mod site;
mod tracking;
