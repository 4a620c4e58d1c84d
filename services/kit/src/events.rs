//! Events: the transactional outbox, the stream, consumers with an inbox, dead letters and their retention.

pub mod bus;
pub mod consumer;
pub mod dead_letters;
pub mod inbox;
pub mod outbox;
pub(crate) mod retention;
