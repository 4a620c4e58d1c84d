//! What the ports are made of.
pub mod checkout;
mod facebook;
mod jwks;
mod openid;
pub mod smtp;
pub mod social;
