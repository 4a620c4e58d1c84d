//! Entitlements opened by payments.
pub mod open_entitlements;
pub mod temporary_premium;
