//! The SQL of schema `sessions`, one file per noun.
pub mod piece;
pub mod reply;
