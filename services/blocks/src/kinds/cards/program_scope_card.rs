//! Contents of a programme.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// A list of contents.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "items"]))]
#[graphql(complex)]
pub struct ProgramScopeCard {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub items: Vec<ScopeItem>,
    pub image: Option<Image>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text"]))]
pub struct ScopeItem {
    /// Name of a design icon.
    pub icon: Option<String>,
    pub text: String,
}

impl Model for ProgramScopeCard {
    const NAME: &'static str = "ProgramScopeCard";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("description", self.description.as_deref());
        at.some_of_each("items", &self.items);
        at.nested_if_present("image", self.image.as_ref());
    }
}

impl Model for ScopeItem {
    const NAME: &'static str = "ScopeItem";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_icon("icon", self.icon.as_deref());
        at.required("text", &self.text);
    }
}
