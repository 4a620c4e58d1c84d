//! Changes of a member's name, address and password.
pub mod confirm_email;
pub mod forgot_password;
pub mod reset_password;
pub mod update_profile;
