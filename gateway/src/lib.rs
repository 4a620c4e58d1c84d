//! The only public entry: REST, GraphQL, the page cache and the site's security.
//!
//! Owns: HTTP shapes and status codes, cookies, limits, cached pages. Does not own: business rules, tables.
//! Calls: content, auth, checkout, sessions, analytics over gRPC, and the web renderer over HTTP. Emits nothing.
//! Consumes: `stillpoint.*.*.published` and `stillpoint.content.*.unpublished`, to invalidate cached responses.
mod app;
mod cache;
mod clients;
mod config;
mod graphql;
pub mod middleware;
mod openapi;
mod pages;
mod protocol;
mod rest;
mod security;
mod server;
mod state;

/// The gateway, ready to be run alone or beside the services.
pub fn definition() -> kit::run::ServiceDefinition {
    kit::run::define_service("gateway", config::Config::read, app::start).access(app::ACCESS)
}

/// The GraphQL schema as text: what `schema.graphql` must hold.
pub fn schema_sdl() -> String {
    graphql::sdl()
}

/// Every REST endpoint as `OpenAPI` 3.1.
pub fn openapi() -> serde_json::Value {
    server::router::openapi()
}
