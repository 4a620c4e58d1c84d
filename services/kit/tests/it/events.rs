//! Events from the outbox through NATS to the consumers.

mod consumer;
mod dead_letters;
mod nats_credentials;
mod outbox;
mod watch;
