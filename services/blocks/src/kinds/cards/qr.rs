//! A QR code.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// A QR code with a text; on phones a button replaces the code.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["url"]))]
#[graphql(complex)]
pub struct Qr {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub text: Option<String>,
    /// The URL in the code.
    pub url: String,
    /// Replaces the generated code.
    pub image: Option<Image>,
    /// The URL of the button.
    pub deep_link: Option<String>,
    pub button_text: Option<String>,
}

impl Model for Qr {
    const NAME: &'static str = "Qr";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.optional("text", self.text.as_deref());
        at.required_outside("url", &self.url);
        at.nested_if_present("image", self.image.as_ref());
        at.deep_link("deepLink", self.deep_link.as_deref());
        at.optional("buttonText", self.button_text.as_deref());
    }
}
