//! Endpoints of the checkout service: campaigns, payments, subscriptions, surveys, withdrawals and provider webhooks.
pub mod bin_check;
pub mod campaigns;
pub mod gifts;
pub mod intents;
pub mod providers;
pub mod purchases;
pub mod subscription_changes;
pub mod subscriptions;
pub mod survey_answers;
pub mod survey_orders;
pub mod survey_payment;
pub mod withdrawals;
