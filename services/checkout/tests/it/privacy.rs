//! Erasure and export of members, and withdrawals from a contract.

mod declare_withdrawal;
pub mod erase_member;
pub mod export_member;
mod get_withdrawal;
