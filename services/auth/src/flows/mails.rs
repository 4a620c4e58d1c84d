//! The mail queue: inserts and delivery.
pub mod queue_mail;
pub mod send_mails;
