//! The sandbox's own API: `/sandbox/*`.

pub mod clock;
pub mod faults;
pub mod page;
pub mod problem;
pub mod requests;
pub mod webhooks;
