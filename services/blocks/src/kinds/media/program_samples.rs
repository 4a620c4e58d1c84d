//! Programmes to choose from, with their parts.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Programmes, one card each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["samples"]))]
#[graphql(complex)]
pub struct ProgramSamples {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub samples: Vec<ProgramSample>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
pub struct ProgramSample {
    pub title: String,
    pub text: Option<String>,
    pub image: Option<Image>,
    pub url: Option<String>,
    pub duration_minutes: Option<i32>,
}

/// The page of a member's programme.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "items"]))]
#[graphql(complex)]
pub struct DynamicProgramContent {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1`.
    pub title: String,
    pub description: Option<String>,
    pub items: Vec<ProgramItem>,
    /// Alternatives to the block's own programme. One is shown if the survey suggested it to the member or visitor.
    pub programs: Vec<DynamicProgram>,
}

/// A programme that `SuggestedProgramPage` suggests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "title", "items"]))]
pub struct DynamicProgram {
    /// The id in `SuggestedProgramPage`.
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub items: Vec<ProgramItem>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
pub struct ProgramItem {
    pub title: String,
    pub text: Option<String>,
    pub duration_minutes: Option<i32>,
    pub image: Option<Image>,
}

impl Model for ProgramSamples {
    const NAME: &'static str = "ProgramSamples";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("samples", &self.samples);
    }
}

impl Model for ProgramSample {
    const NAME: &'static str = "ProgramSample";

    fn inspect(&self, at: &mut Inspection) {
        at.item_heading("title", &self.title);
        at.optional("text", self.text.as_deref());
        at.nested_if_present("image", self.image.as_ref());
        at.optional_link("url", self.url.as_deref());
        at.within("durationMinutes", self.duration_minutes, 1..=10_000);
    }
}

impl Model for DynamicProgramContent {
    const NAME: &'static str = "DynamicProgramContent";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.some_of_each("items", &self.items);
        at.each("programs", &self.programs);
        at.unique_ids(
            "programs",
            self.programs.iter().map(|program| program.id.as_str()),
        );
    }
}

impl Model for DynamicProgram {
    const NAME: &'static str = "DynamicProgram";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("title", &self.title);
        at.optional("description", self.description.as_deref());
        at.some_of_each("items", &self.items);
    }
}

impl Model for ProgramItem {
    const NAME: &'static str = "ProgramItem";

    fn inspect(&self, at: &mut Inspection) {
        at.item_heading("title", &self.title);
        at.optional("text", self.text.as_deref());
        at.within("durationMinutes", self.duration_minutes, 1..=10_000);
        at.nested_if_present("image", self.image.as_ref());
    }
}
