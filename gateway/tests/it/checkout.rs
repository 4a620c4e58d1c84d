//! Campaigns, payments, surveys, withdrawals and webhooks.
mod bin_check;
mod campaigns;
mod gifts;
mod intents;
mod surveys;
mod webhooks;
mod withdrawals;
