//! Kit's mechanisms on a real Postgres, NATS and Redis, over gRPC and with real processes.
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod support;

mod cache;
mod clock;
mod database;
mod erasure;
mod events;
mod http;
mod idempotency;
mod process;
mod rpc;
mod trace;
