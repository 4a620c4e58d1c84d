//! Mechanisms every service needs and no domain knows.
//!
//! In reading order: what a service is (`run`, `config`), what it is made of (`clock`, `ids`, `money`, `tracking`, `error`),
//! how it keeps state and tells of it (`database`, `outbox`, `bus`, `consumer`, `inbox`, `dead_letters`, `idempotency`) and
//! forgets somebody (`erasure`), how services ask each other (`rpc`, `deadline`, `requester`, `retry`, `cache`), what they do by a timer
//! (`rounds`), how it is seen (`telemetry`) and tested (`testing`).

pub mod run;

pub mod config;

pub mod clock;
pub mod error;
pub mod ids;
pub mod money;
pub mod tracking;

pub mod bus;
pub mod consumer;
pub mod database;
pub mod dead_letters;
pub mod erasure;
pub mod idempotency;
pub mod inbox;
pub mod outbox;
mod retention;

pub mod breaker;
pub mod cache;
pub mod deadline;
pub mod periodic;
pub mod requester;
pub mod retry;
pub mod rpc;

pub mod telemetry;
pub mod testing;

/// What the code made by `typed_id!` refers to, so that a user of the macro needs no dependency of its own for it.
#[doc(hidden)]
pub mod macro_support {
    pub use {chrono, serde, sqlx, uuid};
}
