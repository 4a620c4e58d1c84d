//! Integration tests: the service over gRPC, on a real Postgres and NATS, with the sandbox's simulated model.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod close_interrupted;
mod export_member;
mod network;
mod purge_replies;
mod resume;
mod test_env;
mod write_ai_text;
