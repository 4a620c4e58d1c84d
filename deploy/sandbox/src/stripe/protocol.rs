//! Stripe's wire protocol: form encoding, parameters, API keys, errors.

pub mod auth;
pub mod error;
pub mod form;
pub mod parameters;
pub mod params;
