//! Subscriptions after their first payment: billing, trials, synchronisation.

pub mod bill_subscription;
pub mod charge_period;
pub mod claim_trial;
pub mod end_billing;
pub mod start_trial;
pub mod sync_subscription;
