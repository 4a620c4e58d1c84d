//! Sessions and the tokens that open or stand for one.
pub mod access_token;
pub mod authenticate;
pub mod devices;
pub mod issue_handoff_token;
pub mod live_session;
pub mod open_session;
pub mod redeem_handoff_token;
pub mod refresh_session;
pub mod rotate_signing_keys;
pub mod sign_out;
