//! A list of articles.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Articles, one card each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["cards"]))]
#[graphql(complex)]
pub struct BlogCards {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub cards: Vec<BlogCard>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["heading", "content", "url"]))]
pub struct BlogCard {
    pub image: Option<Image>,
    pub heading: String,
    /// The first lines of the article.
    pub content: String,
    pub author_name: Option<String>,
    /// A date, such as 2026-11-20.
    pub date: Option<String>,
    pub url: String,
}

impl Model for BlogCards {
    const NAME: &'static str = "BlogCards";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("cards", &self.cards);
    }
}

impl Model for BlogCard {
    const NAME: &'static str = "BlogCard";

    fn inspect(&self, at: &mut Inspection) {
        at.nested_if_present("image", self.image.as_ref());
        at.item_heading("heading", &self.heading);
        at.required("content", &self.content);
        at.optional("authorName", self.author_name.as_deref());
        at.required_link("url", &self.url);
        at.date("date", self.date.as_deref());
    }
}
