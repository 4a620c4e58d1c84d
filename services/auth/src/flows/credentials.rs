//! Sign-up, sign-in and the proofs they require.
pub mod check_throttle;
pub mod issue_social_nonce;
pub mod link_pending_identity;
pub mod prove_member;
pub mod register;
pub mod sign_in;
pub mod sign_in_socially;
