//! A line between other blocks.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

/// A thin line.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[graphql(complex)]
pub struct HorizontalRule {
    #[serde(skip)]
    pub id: String,
}

impl Model for HorizontalRule {
    const NAME: &'static str = "HorizontalRule";

    fn inspect(&self, _: &mut Inspection) {}
}
