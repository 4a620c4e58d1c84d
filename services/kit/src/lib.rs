//! Mechanisms shared by all services, without business terms.
//!
//! In reading order: services and processes (`run`, `config`), base types (`clock`, `ids`, `money`, `tracking`, `error`),
//! state and events (`database`, `outbox`, `bus`, `consumer`, `inbox`, `dead_letters`, `idempotency`), erasure of a member
//! (`erasure`), calls (`rpc`, `tls`, `http`, `deadline`, `requester`, `retry`, `breaker`, `cache`, `single_flight`), background work
//! (`periodic`, `due_queue`, `reconciler`, `backoff`), observability (`telemetry`) and tests (`testing`).

pub mod run;

pub mod config;

pub mod clock;
pub mod error;
pub mod ids;
pub mod money;
pub mod tracking;

pub mod database;
pub mod erasure;
mod events;

pub(crate) use events::retention;
pub use events::{bus, consumer, dead_letters, inbox, outbox};

mod calls;
mod jobs;
pub use calls::{breaker, cache, deadline, http, idempotency, requester, retry, rpc, single_flight, tls};
pub(crate) use jobs::rounds;
pub use jobs::{backoff, due_queue, periodic, reconciler};

pub mod telemetry;
pub mod testing;

/// Re-exports for the expansion of `typed_id!`, so that its users need no further dependencies.
#[doc(hidden)]
pub mod macro_support {
    pub use {chrono, serde, sqlx, uuid};
}
