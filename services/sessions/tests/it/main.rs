//! Sessions from outside: gRPC in front, a real Postgres and NATS and the model's twin behind.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

mod close_interrupted;
mod forget_replies;
mod network;
mod resume;
mod world;
mod write_ai_text;
