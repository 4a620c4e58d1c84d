//! What an account is and what may be done with it. Pure: no clock, no randomness, no I/O.
pub mod email;
pub mod fields;
pub mod password;
pub mod registration;
pub mod session;
pub mod sign_in;
pub mod throttle;
pub mod user;
