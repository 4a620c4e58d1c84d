//! Subscriptions after their first payment: billing, changes, synchronisation.

pub mod bill_subscription;
pub mod charge_context;
pub mod charge_period;
pub mod end_billing;
pub mod lock_held;
pub mod submit_pending_change;
pub mod sync_subscription;
