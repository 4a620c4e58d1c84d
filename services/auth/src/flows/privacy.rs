//! Export and erasure of a member's data.
pub mod close_erasure;
pub mod export_member;
pub mod get_erasure;
pub mod request_erasure;
