//! Auth from outside: its RPCs on a real Postgres and a real NATS.
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod fixture;

mod account;
mod grant_temporary_premium;
mod logs;
mod mails;
mod privacy;
mod register;
mod register_by_email;
mod roles;
mod second_factor;
mod sessions;
mod sign_in;
mod sign_in_socially;
mod throttle;
