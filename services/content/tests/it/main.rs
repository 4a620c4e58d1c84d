//! The service from outside, on a real Postgres and NATS.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod command_line;
mod discard_draft;
mod fixture;
mod get_chrome;
mod get_draft;
mod get_page;
mod get_preview;
mod list_pages;
mod publishing;
mod save_draft;
mod shipped_copy;
mod versions;
