//! Hosted checkout pages, payments made on them without an order of ours, and captures that match no order.

pub mod import_external_payment;
pub mod import_gift_payment;
pub mod link_subscription;
pub mod offer_hosted_checkouts;
pub mod payment_import;
pub mod refund_unmatched;
pub mod settle_hosted_checkout;
