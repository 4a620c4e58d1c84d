//! Accounts, sessions, sign-in and personal data.
mod account;
mod erasure;
mod export;
mod forms;
mod handoff;
mod second_factor;
mod session;
mod social;
mod step_up;
mod user_details;
