//! The opening of a landing page, composed of other blocks.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::block::Block;
use crate::block::nested;
use crate::inspection::Inspection;
use crate::model::Model;

/// Blocks beside each other over a background.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["sections"]))]
#[graphql(complex)]
pub struct LandingHero {
    #[serde(skip)]
    pub id: String,
    #[serde(deserialize_with = "nested::read_all")]
    pub sections: Vec<Block>,
    /// A block behind the others, as background.
    #[serde(deserialize_with = "nested::read_one")]
    pub background_section: Option<Box<Block>>,
    /// The second block comes first.
    pub reverse: bool,
}

impl Model for LandingHero {
    const NAME: &'static str = "LandingHero";
    const NESTED: &'static [&'static str] = &["sections", "backgroundSection"];

    fn inspect(&self, at: &mut Inspection) {
        at.some_blocks("sections", &self.sections);
        at.block_if_present("backgroundSection", self.background_section.as_deref());
    }

    fn nested(&self) -> Vec<&Block> {
        self.sections
            .iter()
            .chain(self.background_section.as_deref())
            .collect()
    }

    fn nested_mut(&mut self) -> Vec<&mut Block> {
        self.sections
            .iter_mut()
            .chain(self.background_section.as_deref_mut())
            .collect()
    }
}
