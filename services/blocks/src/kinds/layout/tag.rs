//! A short text on a coloured background.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

/// A small label.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text"]))]
#[graphql(complex)]
pub struct Tag {
    #[serde(skip)]
    pub id: String,
    pub text: String,
    /// Colour of the text.
    pub color: Option<String>,
    pub background_color: Option<String>,
}

impl Model for Tag {
    const NAME: &'static str = "Tag";

    fn inspect(&self, at: &mut Inspection) {
        at.required("text", &self.text);
        at.colours(
            ("color", self.color.as_deref(), "ink"),
            ("backgroundColor", self.background_color.as_deref(), "mist"),
        );
    }
}
