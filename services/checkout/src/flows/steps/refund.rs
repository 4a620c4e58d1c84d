//! Refunds at the provider, and their results.

pub mod settle_refund;
pub mod submit_refunds;
