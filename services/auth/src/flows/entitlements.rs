//! Entitlements opened by payments.
pub mod grant_temporary_premium;
pub mod open_entitlements;
