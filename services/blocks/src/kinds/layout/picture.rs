//! A picture between other blocks.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// A picture as wide as the text or wider.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["image"]))]
#[graphql(complex)]
pub struct Picture {
    #[serde(skip)]
    pub id: String,
    pub image: Image,
    /// Replaces the picture on phones.
    pub mobile_image: Option<Image>,
    pub caption: Option<String>,
    pub width: PictureWidth,
    /// Link target of the picture.
    pub url: Option<String>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum PictureWidth {
    #[default]
    Text,
    Wide,
    Full,
}

impl Model for Picture {
    const NAME: &'static str = "Picture";

    fn inspect(&self, at: &mut Inspection) {
        at.nested("image", &self.image);
        at.nested_if_present("mobileImage", self.mobile_image.as_ref());
        at.optional("caption", self.caption.as_deref());
        at.optional_link("url", self.url.as_deref());
    }
}
