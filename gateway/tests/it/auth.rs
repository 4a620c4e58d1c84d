//! Accounts, sessions, sign-in and personal data.
mod account;
mod erasure;
mod export;
mod forms;
mod handoff;
mod session;
mod social;
mod user_details;
