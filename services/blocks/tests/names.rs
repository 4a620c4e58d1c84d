//! A field has one name: what an editor writes is what a reader asks for.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

mod support {
    pub mod schemas;
}

use std::collections::{BTreeMap, BTreeSet};

use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
use blocks::{Block, Footer, HeroComponent, MeditationSamples, Navigation, PageSeo};
use serde_json::Value;
use support::schemas::Schemas;

struct Query;

#[Object]
impl Query {
    async fn sections(&self) -> Vec<Block> {
        Vec::new()
    }

    async fn head(&self) -> Option<PageSeo> {
        None
    }

    async fn navigation(&self) -> Option<Navigation> {
        None
    }

    async fn footer(&self) -> Option<Footer> {
        None
    }

    async fn hero_component(&self) -> Option<HeroComponent> {
        None
    }

    async fn samples(&self) -> Option<MeditationSamples> {
        None
    }
}

#[tokio::test]
async fn every_field_has_the_same_name_in_json_and_in_graphql() {
    let fields =
        |schema: &Value| support::schemas::fields(schema).map(|fields| fields.keys().cloned().collect());
    assert_eq!(unserved(fields).await, [""; 0]);
}

#[tokio::test]
async fn every_value_of_an_enumeration_has_the_same_name_in_json_and_in_graphql() {
    // GraphQL has no names that begin with a digit.
    let is_a_name = |value: &&str| !value.starts_with(|first: char| first.is_ascii_digit());
    let values = |schema: &Value| {
        let values: Vec<_> = support::schemas::values(schema)
            .into_iter()
            .map(|(value, _)| value)
            .collect();
        let comparable = !values.is_empty() && values.iter().all(is_a_name);
        comparable.then(|| values.into_iter().map(str::to_owned).collect())
    };
    assert_eq!(unserved(values).await, [""; 0]);
}

/// What the JSON Schemas have and the GraphQL types of the same name lack.
async fn unserved(names_in: impl Fn(&Value) -> Option<BTreeSet<String>>) -> Vec<String> {
    let served = served().await;
    let schemas = Schemas::read();
    let mut missing = Vec::new();
    for (kind, schema) in schemas
        .blocks
        .into_iter()
        .chain(schemas.others)
        .chain(schemas.parts)
    {
        let Some(names) = names_in(&schema) else { continue };
        let served = served
            .get(&kind)
            .unwrap_or_else(|| panic!("{kind} is no GraphQL type"));
        missing.extend(names.difference(served).map(|name| format!("{kind}.{name}")));
    }
    missing
}

/// Fields of types and values of enumerations, as GraphQL names them.
async fn served() -> BTreeMap<String, BTreeSet<String>> {
    let schema = Schema::new(Query, EmptyMutation, EmptySubscription);
    let answer = schema
        .execute("{ __schema { types { name fields { name } enumValues { name } } } }")
        .await;
    assert!(answer.errors.is_empty(), "{:?}", answer.errors);
    let answer = answer.data.into_json().expect("data is JSON");
    let name = |named: &Value| named["name"].as_str().unwrap_or_default().to_owned();
    let types = answer["__schema"]["types"].as_array().expect("a list");
    types
        .iter()
        .map(|kind| {
            let parts = [&kind["fields"], &kind["enumValues"]];
            let parts = parts.into_iter().filter_map(Value::as_array).flatten();
            (name(kind), parts.map(name).collect())
        })
        .collect()
}
