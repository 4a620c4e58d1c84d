//! Trials: bound to a card, and begun by a payment.

pub mod claim_trial;
pub mod start_trial;
