//! Steps that several flows share.

pub mod hosted;
pub mod payment;
pub mod pricing;
pub mod refund;
pub mod subscription;
pub mod trial;
pub mod webhook;
