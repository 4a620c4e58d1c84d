//! Erasure and export of a member's data.
mod export_member;
mod get_erasure;
pub mod request_erasure;
