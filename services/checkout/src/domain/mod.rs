//! The rules of selling a subscription, pure: states, transitions, prices. No I/O, no clock, no randomness.

pub mod buyer;
pub mod campaign;
pub mod catalogue;
pub mod ids;
pub mod invariants;
pub mod notice;
pub mod order;
pub mod payment;
pub mod purchase;
pub mod report;
pub mod schedule;
pub mod seed;
pub mod settlement;
pub mod submission;
pub mod subscription;
pub mod survey_order;

#[cfg(test)]
mod fixtures;
