//! GraphQL: published content, typed, with the prices of its plans.
mod chrome;
mod endpoint;
mod offers;
mod page;
mod protocol;
mod query;

use std::sync::Arc;

use async_graphql::extensions::apollo_persisted_queries::{ApolloPersistedQueries, LruCacheStorage};
use async_graphql::{EmptyMutation, EmptySubscription};

use crate::clients::Clients;
use crate::config::Config;

pub use endpoint::{execute_get, execute_post};
use query::Query;

/// A page with its blocks, their plans and the offers of those lies at eight.
const DEPTH_MAX: usize = 12;
const COMPLEXITY_MAX: usize = 1500;
const PERSISTED_MAX: usize = 500;

pub type Schema = async_graphql::Schema<Query, EmptyMutation, EmptySubscription>;

pub fn schema(clients: Clients, config: &Config) -> Schema {
    let builder = builder()
        .data(Arc::new(clients))
        .extension(ApolloPersistedQueries::new(LruCacheStorage::new(PERSISTED_MAX)))
        .limit_depth(DEPTH_MAX)
        .limit_complexity(COMPLEXITY_MAX);
    if config.production {
        builder.disable_introspection().finish()
    } else {
        builder.finish()
    }
}

pub fn sdl() -> String {
    builder().finish().sdl()
}

fn builder() -> async_graphql::SchemaBuilder<Query, EmptyMutation, EmptySubscription> {
    async_graphql::Schema::build(Query, EmptyMutation, EmptySubscription)
}
