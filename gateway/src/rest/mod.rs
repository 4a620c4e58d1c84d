//! REST: one file per service, and the shapes they share.
pub mod access_token;
pub mod account;
pub mod analytics;
mod arrival;
pub mod auth;
pub mod body;
pub mod checkout;
pub mod country;
pub mod document;
pub mod handoff;
mod idempotency;
pub mod readable;
pub mod samples;
pub mod sessions;
pub mod subscriptions;
pub mod survey;
mod tracking;
