//! Sessions and the tokens that open or stand for one.
pub mod authenticate;
pub mod end_session;
pub mod issue_access_token;
pub mod issue_handoff_token;
pub mod list_devices;
pub mod list_public_keys;
pub mod live_session;
pub mod open_session;
pub mod redeem_handoff_token;
pub mod refresh_session;
pub mod rotate_signing_keys;
pub mod sign_out;
pub mod sign_out_device;
pub mod sign_out_everywhere;
