//! Validated input of the public forms.
pub mod fields;
pub mod profile;
pub mod recovery;
pub mod registration;
pub mod sign_in;
