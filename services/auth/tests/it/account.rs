//! Profile, addresses and passwords.
mod breached_passwords;
mod confirm_email;
mod forgot_password;
pub mod reset_password;
pub mod update_profile;
