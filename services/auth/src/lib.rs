//! People and their sessions.
//!
//! Owns: accounts, passwords, sessions, the sign-in throttle.
//! Does not own: subscriptions and entitlements (checkout), cookies and per-client rate limits (gateway).
//! RPCs: `Register`, `SignIn`, `SignOut`, `Authenticate`.
//! Emits: `stillpoint.auth.user.registered`, `stillpoint.auth.user.signed_in`.
//! Listens: to nothing.

pub mod config;
pub mod error;

pub mod domain;

mod crypto;
mod emit;
mod flows;
mod rpc;
mod store;

mod app;

/// This service as a part of a process: alone in its own, or beside the others.
pub fn part() -> kit::run::Part {
    kit::run::part("auth", config::Config::read, app::start)
}
