//! Rules of subscriptions: settlement, renewals, dunning and members' changes.

pub mod billing_state;
pub mod dunning;
pub mod merchant_schedule;
pub mod settlement;
pub mod subscription_change;
