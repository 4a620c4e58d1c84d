//! What is stored of a member: export and erasure.

pub mod member_erasure;
pub mod member_export;
