//! The SQL of schema `analytics`, one file per concept.
pub mod daily_count;
pub mod event;
pub mod member;
