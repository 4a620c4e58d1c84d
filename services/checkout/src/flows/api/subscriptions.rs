//! A member's subscriptions: list, change, preview.

pub mod change_subscription;
pub mod list_plans;
pub mod list_subscriptions;
pub mod preview_plan;
pub mod set_subscription_attribution;
