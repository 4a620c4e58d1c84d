//! Erasure of members, and withdrawals from a contract.

pub mod erase_member;
mod withdrawals;
