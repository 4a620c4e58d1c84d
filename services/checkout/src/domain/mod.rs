//! The rules of selling a subscription, pure: states, transitions, prices. No I/O, no clock, no randomness.

pub mod adoption;
pub mod arrears;
pub mod billing;
pub mod bin;
pub mod bookkeeping;
pub mod buyer;
pub mod campaign;
pub mod catalogue;
pub mod contact;
pub mod coupon;
pub mod dispute;
pub mod free_trial;
pub mod ids;
pub mod intent;
pub mod invariants;
pub mod ledger;
pub mod life;
pub mod notice;
pub mod opens;
pub mod order;
pub mod page;
pub mod payment;
pub mod provider;
pub mod publication;
pub mod purchase;
pub mod quote;
pub mod refund;
pub mod renewal;
pub mod report;
pub mod sale;
pub mod schedule;
pub mod seed;
pub mod settlement;
pub mod settlement_once;
pub mod submission;
pub mod subscription;
pub mod survey_answers;
pub mod survey_order;
pub mod wish;
pub mod withdrawal;

#[cfg(test)]
mod adoption_model_tests;
#[cfg(test)]
mod dispute_model_tests;
#[cfg(test)]
pub(crate) mod fixtures;
#[cfg(test)]
mod model_once_tests;
#[cfg(test)]
mod model_tests;
