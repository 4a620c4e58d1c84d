//! Outgoing webhooks: the queue of deliveries, and the task that sends them.

pub mod dispatcher;
pub mod queue;
