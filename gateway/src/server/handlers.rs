//! Handlers of pages and of GraphQL. They need the state, which contains `pages` and `graphql`.
pub mod cached_query;
pub mod graphql;
pub mod pages;
pub mod preview;
