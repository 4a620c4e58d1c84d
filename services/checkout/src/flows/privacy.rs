//! Export, erasure and retention of personal data.

pub mod end_at_other_providers;
pub mod erase_member;
pub mod erase_withdrawal;
pub mod export_member;
pub mod purge_guests;
