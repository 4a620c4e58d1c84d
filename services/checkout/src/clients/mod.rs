//! The outside systems behind [`crate::ports`].

pub mod stripe;
