//! Queries, limits, the protocol and cached responses.
mod abuse;
mod http;
pub mod queries;
mod query_cache;
