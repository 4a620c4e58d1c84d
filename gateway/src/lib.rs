//! The only public door: REST, GraphQL, the page cache and the site's security.
//!
//! Owns: HTTP shapes and status codes, cookies, limits, cached pages. Does not own: any rule of the business, any table.
//! Calls: content, auth, checkout, sessions, analytics over gRPC, and the web renderer over HTTP. Emits nothing.
//! Listens: `stillpoint.*.*.published` and `stillpoint.content.*.unpublished`, to drop the pages that changed.
mod allowances;
mod app;
mod clients;
mod config;
mod edge;
mod error;
mod graphql;
mod pages;
mod preview;
mod rest;
mod security;
mod server;
mod trace;

/// The gateway, ready to be run alone or beside the services.
pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_service("gateway", config::Config::read, app::start)
}

/// The GraphQL schema as text: what `schema.graphql` must hold.
pub fn schema_sdl() -> String {
    graphql::sdl()
}

/// Every REST endpoint as `OpenAPI` 3.1.
pub fn openapi() -> serde_json::Value {
    app::openapi()
}
