//! What the ports are made of.
mod facebook;
mod jwks;
mod openid;
pub mod smtp;
pub mod social;
