//! Auth from outside: its RPCs on a real Postgres and a real NATS.
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod fixture;

mod email_only;
mod erasure;
mod mails;
mod profile;
mod recovery;
mod register;
mod sessions;
mod sign_in;
mod social;
mod temporary_premium;
mod throttle;
