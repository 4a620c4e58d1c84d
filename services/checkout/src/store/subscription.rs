//! Subscriptions, their billing state, changes and schedules.

pub mod billing_states;
pub mod merchant_schedules;
pub mod subscription_changes;
pub mod subscriptions;
