//! Refunds and their reconciliation schedule.

pub mod refund_reconciliations;
pub mod refunds;
