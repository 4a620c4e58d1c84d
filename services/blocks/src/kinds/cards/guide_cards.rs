//! Guided practices on other sites.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Cards that link to a practice.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["cards"]))]
#[graphql(complex)]
pub struct GuideCards {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub cards: Vec<GuideCard>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "url", "duration", "contentTag"]))]
pub struct GuideCard {
    pub title: String,
    pub url: String,
    /// Such as "12 min".
    pub duration: String,
    /// The topic, such as "Sleep".
    pub content_tag: String,
    pub kind: GuideKind,
    pub image: Option<Image>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum GuideKind {
    #[default]
    Meditation,
    Music,
}

impl Model for GuideCards {
    const NAME: &'static str = "GuideCards";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("cards", &self.cards);
    }
}

impl Model for GuideCard {
    const NAME: &'static str = "GuideCard";

    fn inspect(&self, at: &mut Inspection) {
        at.item_heading("title", &self.title);
        at.required_outside("url", &self.url);
        at.required("duration", &self.duration);
        at.required("contentTag", &self.content_tag);
        at.nested_if_present("image", self.image.as_ref());
    }
}
