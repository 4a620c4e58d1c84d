//! The sandbox over HTTP.

#![expect(clippy::unwrap_used, reason = "test helpers may panic")]

mod ai;
mod clock;
mod control;
mod faults;
mod mail;
mod paypal;
mod platron;
mod snapshot;
mod social;
mod stripe;
mod support;
mod yookassa;
