//! The SQL of schema `analytics`, one file per noun.
pub mod daily_count;
pub mod event;
pub mod member;
