//! The SQL of schema `auth`, one file per entity.
pub mod account;
pub mod account_link;
pub mod entitlement_grant;
pub mod erasure;
pub mod handoff_token;
pub mod identity;
pub mod mail;
pub mod member_export;
pub mod role;
pub mod second_factor;
pub mod session;
pub mod session_token;
pub mod sign_in_attempt;
pub mod signing_key;
pub mod temporary_premium;
