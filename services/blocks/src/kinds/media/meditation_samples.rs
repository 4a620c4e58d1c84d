//! Meditation samples: as a block, and as a record by category.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;
use crate::parts::whole::Whole;

/// Samples of meditations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[graphql(complex)]
pub struct MeditationSampleCollection {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub description: Option<String>,
    /// Replaces `samples` by the record of the category chosen in the survey, else of this category.
    pub category: Option<i32>,
    pub samples: Vec<MeditationSample>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
pub struct MeditationSample {
    pub title: String,
    pub sub_title: Option<String>,
    pub image: Option<Image>,
    pub popover_text: Option<String>,
    pub audio_url: Option<String>,
}

/// The samples of one category.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["category", "items"]))]
pub struct MeditationSamples {
    #[serde(skip)]
    pub id: String,
    pub category: Whole,
    pub items: Vec<MeditationSample>,
}

impl Model for MeditationSampleCollection {
    const NAME: &'static str = "MeditationSampleCollection";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.optional("description", self.description.as_deref());
        at.within("category", self.category, 1..=1_000_000);
        at.each("samples", &self.samples);
    }
}

impl Model for MeditationSample {
    const NAME: &'static str = "MeditationSample";

    fn inspect(&self, at: &mut Inspection) {
        at.item_heading("title", &self.title);
        at.optional("subTitle", self.sub_title.as_deref());
        at.nested_if_present("image", self.image.as_ref());
        at.optional("popoverText", self.popover_text.as_deref());
        at.optional_source("audioUrl", self.audio_url.as_deref());
    }
}

impl Model for MeditationSamples {
    const NAME: &'static str = "MeditationSamples";

    fn inspect(&self, at: &mut Inspection) {
        at.whole("category", self.category, 1..=1_000_000);
        at.some_of_each("items", &self.items);
    }
}
