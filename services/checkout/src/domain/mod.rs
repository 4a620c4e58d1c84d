//! The rules of selling a subscription, pure: states, transitions, prices. No I/O, no clock, no randomness.

pub mod bin;
pub mod bookkeeping;
pub mod buyer;
pub mod campaign;
pub mod catalogue;
pub mod coupon;
pub mod ids;
pub mod invariants;
pub mod ledger;
pub mod notice;
pub mod order;
pub mod payment;
pub mod provider;
pub mod publication;
pub mod purchase;
pub mod quote;
pub mod refund;
pub mod report;
pub mod schedule;
pub mod seed;
pub mod settlement;
pub mod submission;
pub mod subscription;
pub mod survey_order;

#[cfg(test)]
mod fixtures;
#[cfg(test)]
mod model_tests;
