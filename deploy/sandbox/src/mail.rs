//! The mail server and its inbox. It delivers nothing: people read the product's mails at `/sandbox/inbox/`, tests at
//! `/sandbox/mails`.

pub mod api;
mod inbox;
mod message;
pub mod smtp_server;
mod smtp_session;

pub use inbox::{Inbox, Mail};
pub use message::Content;
