//! The sandbox from outside, over HTTP.

#![expect(clippy::unwrap_used, reason = "helpers of tests may fail loudly too")]

mod ai;
mod authentication;
mod billing;
mod browser;
mod cards;
mod catalogue;
mod clock;
mod control;
mod disputes;
mod faults;
mod idempotency;
mod intents;
mod mail;
mod memory;
mod paypal;
mod platron;
mod protocol;
mod refunds;
mod schedules;
mod social;
mod subscriptions;
mod support;
mod webhooks;
mod yookassa;
