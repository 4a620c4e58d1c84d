//! Endpoints of the auth service: accounts, sessions, sign-in with providers, handoff tokens and personal data.
pub mod access_token;
pub mod account;
pub mod forms;
pub mod handoff;
pub mod personal_data;
pub mod session;
mod sign_in_context;
pub mod social;
pub mod user_details;
