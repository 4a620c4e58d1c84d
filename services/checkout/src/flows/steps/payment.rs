//! Sending a payment to its provider and recording the result.

pub mod abandon_order;
pub mod call_provider;
pub mod close_payment;
pub mod emit_page_payment_events;
pub mod execute_order;
pub mod execute_payment;
pub mod not_configured;
pub mod refresh_payment;
pub mod resolve_payment;
pub mod saved_card;
pub mod settle_payment;
