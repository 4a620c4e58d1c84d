//! Commands of operators.

pub mod accept_withdrawal;
pub mod list_for_operators;
pub mod replay_webhook;
pub mod request_refund;
