//! Endpoints of the auth service: accounts, sessions, sign-in with providers, second factors, handoff tokens and
//! personal data.
pub mod access_token;
pub mod account;
pub mod forms;
pub mod handoff;
pub mod personal_data;
pub mod second_factor;
pub mod session;
mod sign_in_context;
pub mod social;
pub mod step_up;
pub mod user_details;
