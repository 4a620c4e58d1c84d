//! Coaching and programs.
pub mod coaching_chat;
pub mod coaching_signup;
pub mod coaching_welcome;
pub mod program_loader;
pub mod suggested_program_page;
