//! The SQL of schema `sessions`, one file per table.
pub mod chunk;
pub mod reply;
