//! The rules of selling a subscription, pure: states, transitions, prices. No I/O, no clock, no randomness.

pub mod billing_state;
pub mod bin;
pub mod buyer;
pub mod campaign;
pub mod catalogue;
pub mod catalogue_diff;
pub mod checkout_request;
pub mod contact;
pub mod coupon;
pub mod dispute;
pub mod dunning;
pub mod free_trial;
pub mod hosted_checkout;
pub mod ids;
pub mod intent;
pub mod invariants;
pub mod ledger;
pub mod merchant_schedule;
pub mod one_time_order;
pub mod one_time_settlement;
pub mod opens;
pub mod order;
pub mod payment;
pub mod payment_import;
pub mod poll_schedule;
pub mod postings;
pub mod provider;
pub mod provider_result;
pub mod quote;
pub mod refund;
pub mod renewal;
pub mod seed;
pub mod settlement;
pub mod subscription;
pub mod subscription_change;
pub mod subscription_order;
pub mod survey_answers;
pub mod survey_order;
pub mod webhook_event;
pub mod withdrawal;

#[cfg(test)]
mod dispute_model_tests;
#[cfg(test)]
pub(crate) mod fixtures;
#[cfg(test)]
mod model_tests;
#[cfg(test)]
mod one_time_model_tests;
#[cfg(test)]
mod payment_import_model_tests;
