//! Outgoing webhooks: the queue of deliveries. `webhook_dispatcher` sends them.

pub mod queue;
