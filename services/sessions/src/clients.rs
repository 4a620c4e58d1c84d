//! The outside systems behind [`crate::ports`].

pub mod chat_completions;
