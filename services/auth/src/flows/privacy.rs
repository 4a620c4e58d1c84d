//! Export and erasure of a member's data.
pub mod close_erasure;
pub mod export_member;
pub mod request_erasure;
