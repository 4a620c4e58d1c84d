//! AI texts: a language model answers a visitor's or member's question, and the reply is streamed and can be resumed.
//!
//! Owns: replies to AI text questions until they are purged.
//! Does not own: the page with the question (content), rate limits (gateway), the model.
//! RPCs: `WriteAiText`, `ExportMember`.
//! Emits: `stillpoint.sessions.ai_text.finished`, `stillpoint.sessions.member_data.erased`.
//! Consumes: `stillpoint.auth.erasure.requested`.

pub mod config;
pub mod error;

pub mod domain;

mod ports;

mod emit;
mod flows;
mod rpc;
mod store;

mod clients;

mod app;

/// The service definition for `kit::run::main`, in a process of its own or together with others.
pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_database_service("sessions", &app::MIGRATIONS, config::Config::read, app::start)
        .access(app::ACCESS)
}
