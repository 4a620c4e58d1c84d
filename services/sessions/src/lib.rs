//! What a member or visitor does with us in person; today the texts a model writes for them.
//!
//! Owns: the replies to AI text questions, for as long as one may come back for the rest.
//! Does not own: the page that asks (content), who may ask how often (gateway), the model.
//! RPCs: `WriteAiText`, `ExportMember`.
//! Emits: `stillpoint.sessions.ai_text.finished`, `stillpoint.sessions.member_data.erased`.
//! Listens: to `stillpoint.auth.erasure.requested`.

pub mod config;
pub mod error;

pub mod domain;

mod ports;

mod consumers;
mod emit;
mod flows;
mod rpc;
mod store;

mod clients;

mod app;

/// This service as a part of a process: alone in its own, or beside the others.
pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_service("sessions", config::Config::read, app::start)
}
