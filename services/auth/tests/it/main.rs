//! Auth from outside: its RPCs on a real Postgres and a real NATS.
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod fixture;

mod access_token;
mod authenticate;
mod email_only;
mod erasure;
mod handoff;
mod mail_privacy;
mod mails;
mod profile;
mod recovery;
mod refund_mails;
mod register;
mod sessions;
mod sign_in;
mod sign_out;
mod social;
mod subscription_mails;
mod temporary_premium;
mod throttle;
