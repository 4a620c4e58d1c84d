//! Analytics from outside: its RPCs and its consumer on a real Postgres and a real NATS.
#![expect(clippy::unwrap_used, reason = "a test stops at what it did not expect")]

mod erase_member;
mod fixture;

mod make_partitions;
mod read_events;
mod record_events;
mod record_web_events;
mod summarize;
