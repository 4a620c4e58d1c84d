//! Pages, navigation, footers and records, from an editor to the reader.
//!
//! Owns: pages, chrome and records of every locale: drafts, immutable published snapshots, schedules, releases and
//! previews. Does not own: prices (a block names a campaign), layouts and UI texts (the web app), block types (`blocks`).
//! RPCs: `ContentService` for readers, `EditingService` for editors. Consumes: nothing.
//! Emits: `page.published`, `page.unpublished`, `chrome.published`, `chrome.unpublished`, `record.published`, `record.unpublished`,
//! `release.published`, all under `stillpoint.content.`.

mod app;
pub mod cli;
mod config;
mod domain;
mod emit;
mod error;
mod flows;
mod lint;
mod rpc;
mod seed_dir;
mod store;

pub use config::Config;

/// This service, ready to be run alone or beside others.
pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_database_service(app::NAME, &app::MIGRATIONS, Config::read, app::start)
        .access(app::ACCESS)
}
