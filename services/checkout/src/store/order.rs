//! Orders, their customers and hosted checkout pages.

pub mod customers;
pub mod guests;
pub mod hosted_checkouts;
pub mod one_time_orders;
pub mod one_time_purchases;
pub mod order_aggregates;
pub mod order_attempts;
pub mod orders;
pub mod subscription_orders;
