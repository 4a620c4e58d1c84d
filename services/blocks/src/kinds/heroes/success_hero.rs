//! The opening of a success page, composed of other blocks.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::block::Block;
use crate::block::nested;
use crate::inspection::Inspection;
use crate::model::Model;

/// Blocks below each other on the background of a success page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["sections"]))]
#[graphql(complex)]
pub struct SuccessHero {
    #[serde(skip)]
    pub id: String,
    #[serde(deserialize_with = "nested::read_all")]
    pub sections: Vec<Block>,
}

impl Model for SuccessHero {
    const NAME: &'static str = "SuccessHero";
    const NESTED: &'static [&'static str] = &["sections"];

    fn inspect(&self, at: &mut Inspection) {
        at.some_blocks("sections", &self.sections);
    }

    fn nested(&self) -> Vec<&Block> {
        self.sections.iter().collect()
    }

    fn nested_mut(&mut self) -> Vec<&mut Block> {
        self.sections.iter_mut().collect()
    }
}
