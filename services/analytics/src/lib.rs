//! Product analytics: stores every event of the stream once and counts events by day.
//!
//! Owns: a copy of every event, the daily counts.
//! Does not own: the meaning of events (their services), access to the counts (gateway).
//! RPCs: `RecordWebEvents`, `Summarize`, `ExportMember`.
//! Emits: `stillpoint.web.<event_name>` for each browser event, `stillpoint.analytics.member_data.erased`.
//! Consumes: `stillpoint.>`, and with a consumer of its own `stillpoint.auth.erasure.requested`.

pub mod config;
pub mod error;

pub mod domain;

mod consumers;
mod emit;
mod flows;
mod rpc;
mod store;

mod app;

/// The service definition for `kit::run::main`, in a process of its own or together with others.
pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_database_service("analytics", &app::MIGRATIONS, config::Config::read, app::start)
        .access(app::ACCESS)
}
