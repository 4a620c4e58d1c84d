//! The service from outside, on a real Postgres and NATS.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod command_line;
mod editing;
mod fixture;
mod publishing;
mod reading;
mod shipped_copy;
