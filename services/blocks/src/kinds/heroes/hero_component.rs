//! A hero outside of pages, queried by its id.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::block::Block;
use crate::block::nested;
use crate::inspection::Inspection;
use crate::model::Model;

/// One block, which may be a container.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(rename_all = "camelCase")]
pub struct HeroComponent {
    #[serde(skip)]
    pub id: String,
    #[serde(deserialize_with = "nested::read_whole")]
    pub section: Box<Block>,
}

impl Model for HeroComponent {
    const NAME: &'static str = "HeroComponent";
    const NESTED: &'static [&'static str] = &["section"];

    fn inspect(&self, at: &mut Inspection) {
        at.block("section", &self.section);
    }

    fn nested(&self) -> Vec<&Block> {
        vec![&self.section]
    }

    fn nested_mut(&mut self) -> Vec<&mut Block> {
        vec![&mut self.section]
    }
}
