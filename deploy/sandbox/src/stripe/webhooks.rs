//! Webhooks: stored events, endpoints, signatures.

pub mod endpoint;
pub mod events;
pub mod signature;
