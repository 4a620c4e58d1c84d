//! Erasure of members, and withdrawals from a contract.

mod declare_withdrawal;
pub mod erase_member;
