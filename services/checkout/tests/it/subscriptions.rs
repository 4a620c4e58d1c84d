//! Subscriptions from the first payment to the end.

pub mod change_subscription;
pub mod confirm_subscription;
mod create_subscription;
pub mod dunning;
mod free_trials;
mod list_plans;
mod list_subscriptions;
mod multi_year;
pub mod paid_trial;
pub mod preview_plan;
mod renewals;
mod repeated_submit;
mod scheduled_plan;
mod set_subscription_attribution;
mod trial;
