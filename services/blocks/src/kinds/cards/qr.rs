//! A code to scan with a phone.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// A code and what it is for; on a phone a button in its place.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["url"]))]
#[graphql(complex)]
pub struct Qr {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub text: Option<String>,
    /// What the code opens.
    pub url: String,
    /// Shown in place of the drawn code.
    pub image: Option<Image>,
    /// Opened by the button.
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
