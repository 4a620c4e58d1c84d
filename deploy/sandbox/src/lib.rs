//! Twins of the outside systems, for development and tests.
//!
//! Owns: the virtual clock, twins of Stripe, PayPal, YooKassa and Platron with their browser scripts and pages, twins of the sign-in
//! of Apple, Google and Facebook, a twin of a language model, a mail server with its inbox, the app that members are handed over to,
//! pages for the sites that the product leads to, a script of faults, a log of what the product sent. Does not own: anything of the product; it knows none of our services. Never runs in production.

// Stripe's widest objects are one `json!` each.
#![recursion_limit = "256"]

pub mod config;
pub mod sandbox;

pub mod ai;
mod app;
mod assets;
mod calendar;
mod call;
pub mod clock;
mod control;
mod courier;
mod destinations;
pub mod faults;
mod idempotency;
mod ids;
pub mod journal;
pub mod mail;
mod members_app;
mod memory;
mod money;
pub mod outbox;
pub mod paypal;
pub mod platron;
mod rsa;
mod server;
mod shelf;
mod snapshot;
pub mod social;
pub mod stripe;
mod twin;
mod wakes;
mod world;
pub mod yookassa;

pub use clock::Bucket;
pub use faults::{Action, Fault};
pub use sandbox::{Options, Sandbox, Webhook};
