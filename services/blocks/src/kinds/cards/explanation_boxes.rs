//! An explanation in boxes.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

/// Boxes with backgrounds.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["boxes"]))]
#[graphql(complex)]
pub struct ExplanationBoxes {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    /// The backgrounds are translucent.
    pub background_opacity: bool,
    pub boxes: Vec<ExplanationBox>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "text"]))]
pub struct ExplanationBox {
    /// Name of a design icon.
    pub icon: Option<String>,
    pub title: String,
    pub text: String,
    pub background_color: Option<String>,
}

impl Model for ExplanationBoxes {
    const NAME: &'static str = "ExplanationBoxes";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("boxes", &self.boxes);
    }
}

impl Model for ExplanationBox {
    const NAME: &'static str = "ExplanationBox";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_icon("icon", self.icon.as_deref());
        at.item_heading("title", &self.title);
        at.required("text", &self.text);
        at.colours(
            ("", None, "ink"),
            ("backgroundColor", self.background_color.as_deref(), "card"),
        );
    }
}
