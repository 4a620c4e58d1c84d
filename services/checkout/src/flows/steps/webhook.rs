//! Processing a stored webhook event.

pub mod process_webhook;
