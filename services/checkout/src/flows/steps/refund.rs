//! Results of refunds, and captures that match no order.

pub mod refund_unmatched;
pub mod settle_refund;
pub mod submit_refunds;
