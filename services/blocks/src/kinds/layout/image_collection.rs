//! Several pictures.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Pictures with captions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["items"]))]
#[graphql(complex)]
pub struct ImageCollection {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub items: Vec<CollectionImage>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["image"]))]
pub struct CollectionImage {
    pub image: Image,
    pub caption: Option<String>,
    /// Link target of the picture.
    pub url: Option<String>,
}

impl Model for ImageCollection {
    const NAME: &'static str = "ImageCollection";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("items", &self.items);
    }
}

impl Model for CollectionImage {
    const NAME: &'static str = "CollectionImage";

    fn inspect(&self, at: &mut Inspection) {
        at.nested("image", &self.image);
        at.optional("caption", self.caption.as_deref());
        at.optional_link("url", self.url.as_deref());
    }
}
