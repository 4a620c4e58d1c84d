//! Purchases: subscriptions, one-time orders, additions and gifts.

pub mod additions;
pub mod confirm_subscription;
pub mod create_gift;
pub mod create_intent;
pub mod create_subscription;
pub mod declare_withdrawal;
pub mod link_paypal_subscription;
pub mod list_purchases;
