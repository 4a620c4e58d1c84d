//! Integration tests: RPCs and consumer on a real Postgres and NATS.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod erase_member;
mod export_member;
mod fixture;
mod make_partitions;
mod member_events;
mod read_events;
mod record_events;
mod record_web_events;
mod summarize;
