//! A question whose answer is a generated text.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// A form with a question; the response is generated for the visitor.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "submitLabel"]))]
#[graphql(complex)]
pub struct AiText {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1`.
    pub title: String,
    /// The kind of text; absent: love-language.
    pub r#type: Option<String>,
    pub question: Option<String>,
    pub placeholder: Option<String>,
    pub submit_label: String,
    pub bottom_title: Option<String>,
    pub bottom_image: Option<Image>,
}

impl Model for AiText {
    const NAME: &'static str = "AiText";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional_slug("type", self.r#type.as_deref());
        at.optionals(&[("question", &self.question), ("placeholder", &self.placeholder)]);
        at.required("submitLabel", &self.submit_label);
        at.optional("bottomTitle", self.bottom_title.as_deref());
        at.nested_if_present("bottomImage", self.bottom_image.as_ref());
    }
}
