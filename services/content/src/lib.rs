//! Pages, navigation and footers, from an editor to the reader.
//!
//! Owns: published pages and chrome of every locale, as immutable snapshots. Does not own: prices (a block names a
//! campaign), layouts and UI texts (the web app), block types (`blocks`).
//! RPCs: `GetPage`, `GetChrome`, `ListPages`, `PublishPage`, `PublishChrome`.
//! Emits: `stillpoint.content.page.published`, `stillpoint.content.chrome.published`. Listens to: nothing.

mod app;
pub mod cli;
mod config;
mod domain;
mod emit;
mod error;
mod flows;
mod rpc;
mod seed_dir;
mod store;

pub use config::Config;

/// This service, ready to be run alone or beside others.
pub fn part() -> kit::run::Part {
    kit::run::part(app::NAME, Config::read, app::start)
}
