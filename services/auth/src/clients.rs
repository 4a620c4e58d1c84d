//! Implementations of the ports.
pub mod breached_passwords;
pub mod checkout;
pub mod facebook;
mod jwks;
mod openid;
pub mod smtp;
pub mod social;
