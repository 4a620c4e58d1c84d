//! Hosted checkout pages, and payments made on them without an order of ours.

pub mod import_external_payment;
pub mod import_gift_payment;
pub mod offer_hosted_checkouts;
pub mod settle_hosted_checkout;
