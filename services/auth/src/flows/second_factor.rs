//! Second factor: enrolment, recovery codes, and the verification of a sign-in.
pub mod confirm_second_factor;
pub mod disable_second_factor;
pub mod enrol_second_factor;
pub mod get_second_factor;
pub mod replace_recovery_codes;
pub mod verify_second_factor;
