//! Sign-up, sign-in and the proofs they require.
pub mod challenge_sign_in;
pub mod check_breached_password;
pub mod check_throttle;
pub mod create_account;
pub mod issue_social_nonce;
pub mod link_pending_identity;
pub mod prove_member;
pub mod register;
pub mod register_by_email;
pub mod sign_in;
pub mod sign_in_socially;
pub mod step_up;
pub mod use_code;
