//! What happened: every event kept and counted.
//!
//! Owns: the copy of every event, the daily counts.
//! Does not own: the events' meaning (their services), who may read the counts (gateway).
//! RPCs: `RecordWebEvents`, `Summarize`, `ExportMember`.
//! Emits: `stillpoint.web.<event_name>` for each browser event, `stillpoint.analytics.member_data.erased`.
//! Listens: to `stillpoint.>`, and to `stillpoint.auth.erasure.requested` on its own.

pub mod config;
pub mod error;

pub mod domain;

mod consumers;
mod emit;
mod flows;
mod rpc;
mod store;

mod app;

/// This service as a part of a process: alone in its own, or beside the others.
pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_service("analytics", config::Config::read, app::start)
}
