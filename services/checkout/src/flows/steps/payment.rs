//! Sending a payment to its provider and recording the result.

pub mod abandon_order;
pub mod close_intent;
pub mod close_payment;
pub mod emit_page_payment_events;
pub mod execute_intent;
pub mod execute_payment;
pub mod not_configured;
pub mod refresh_payment;
pub mod settle_intent;
pub mod settle_payment;
