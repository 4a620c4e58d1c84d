//! The SQL of schema `auth`, one file per noun.
pub mod account;
pub mod session;
pub mod sign_in_attempt;
