//! Auth from outside: its RPCs on a real Postgres and a real NATS.
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod fixture;

mod authenticate;
mod register;
mod sign_in;
mod sign_out;
