//! Checkout from outside: gRPC in front, a real Postgres and NATS and simulated providers behind.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod catalogue;
mod contract;
mod one_time;
mod operations;
mod payments;
mod privacy;
mod subscriptions;
mod support;
mod surveys;
