//! Tests of the gateway with the real services behind it, over HTTP as an untrusted client.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accounts;
mod endpoint_matrix;
mod enumeration;
mod erasure;
mod guests;
mod roles;
mod stack;
mod tampered_input;
mod test_env;
mod trials;
mod trust;
mod unbookable_sessions;
mod withdrawals;
