//! Accounts, sessions and their rules. Pure: no clock, no randomness, no I/O.
pub mod access_token;
pub mod caller;
pub mod device;
pub mod email;
pub mod erasure;
pub mod forms;
pub mod handoff;
pub mod mail;
pub mod password;
pub mod session;
pub mod social;
pub mod temporary_premium;
pub mod throttle;
pub mod user;
pub mod withdrawal;
