//! Required whole numbers.

use std::borrow::Cow;

use async_graphql::parser::types::Field;
use async_graphql::registry::Registry;
use async_graphql::{ContextSelectionSet, OutputType, Positioned, ServerResult, Value};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::{Deserialize, Serialize};

/// A required number. An absent `i32` would be read as 0. In GraphQL it is an `Int!`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Whole(Option<i32>);

impl Whole {
    pub fn given(self) -> Option<i32> {
        self.0
    }

    fn shown(self) -> i32 {
        self.0.unwrap_or_default()
    }
}

impl From<i32> for Whole {
    fn from(number: i32) -> Self {
        Self(Some(number))
    }
}

impl JsonSchema for Whole {
    fn schema_name() -> Cow<'static, str> {
        i32::schema_name()
    }

    fn inline_schema() -> bool {
        true
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        i32::json_schema(generator)
    }
}

impl OutputType for Whole {
    fn type_name() -> Cow<'static, str> {
        <i32 as OutputType>::type_name()
    }

    fn create_type_info(registry: &mut Registry) -> String {
        <i32 as OutputType>::create_type_info(registry)
    }

    async fn resolve(&self, ctx: &ContextSelectionSet<'_>, field: &Positioned<Field>) -> ServerResult<Value> {
        OutputType::resolve(&self.shown(), ctx, field).await
    }
}
