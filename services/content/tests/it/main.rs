//! The service from outside, on a real Postgres and NATS.
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test fails by panicking"
)]

mod command_line;
mod fixture;
mod get_chrome;
mod get_page;
mod list_pages;
mod publish_chrome;
mod publish_page;
mod publish_seed;
mod shipped_copy;
