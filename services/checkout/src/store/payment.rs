//! Payments and renewals.

pub mod payments;
pub mod renewals;
