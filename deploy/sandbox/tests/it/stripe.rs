//! The Stripe simulator, by its API and its webhooks.

mod authentication;
mod billing;
mod browser;
mod cards;
mod catalog;
mod disputes;
mod idempotency;
mod intents;
mod protocol;
mod refunds;
mod schedules;
mod subscriptions;
mod webhooks;
