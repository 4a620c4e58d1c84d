//! Purchases: subscriptions, one-time orders, additions and gifts.

pub mod confirm_intent;
pub mod confirm_platron_payment;
pub mod confirm_subscription;
pub mod create_gift;
pub mod create_intent;
pub mod create_subscription;
pub mod declare_withdrawal;
pub mod get_guest;
pub mod get_withdrawal;
pub mod link_paypal_subscription;
pub mod list_additions;
pub mod list_purchases;
