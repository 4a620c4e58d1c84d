//! A story that advances with scrolling.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Scenes in sequence. As a record it is queried by its id.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["sections"]))]
#[graphql(complex)]
pub struct ScrollThrough {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub sections: Vec<ScrollSection>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "title", "description", "image"]))]
pub struct ScrollSection {
    /// Unique in the block.
    pub id: String,
    pub title: String,
    pub description: String,
    pub image: Image,
}

impl Model for ScrollThrough {
    const NAME: &'static str = "ScrollThrough";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("sections", &self.sections);
        at.unique_ids("sections", self.sections.iter().map(|item| item.id.as_str()));
    }
}

impl Model for ScrollSection {
    const NAME: &'static str = "ScrollSection";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.item_heading("title", &self.title);
        at.required("description", &self.description);
        at.nested("image", &self.image);
    }
}
