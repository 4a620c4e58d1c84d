//! The gateway and the real services behind it, as a stranger on the network meets them.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod accounts;
mod endpoint_matrix;
mod enumeration;
mod erasure;
mod guests;
mod house;
mod leaving;
mod lies;
mod recovery;
mod roles;
mod stuffing;
mod trials;
mod withdrawals;
