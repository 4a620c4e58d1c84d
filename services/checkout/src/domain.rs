//! The rules of selling a subscription, pure: states, transitions, prices. No I/O, no clock, no randomness.

pub mod ids;
pub mod invariants;
pub mod ledger;
pub mod order;
pub mod payment;
pub mod pricing;
pub mod provider;
pub mod refund;
pub mod subscription;
pub mod subscription_state;
pub mod survey;
pub mod webhook_event;
pub mod withdrawal;

#[cfg(test)]
pub(crate) mod fixtures;
#[cfg(test)]
mod model_tests;
