//! Links to further articles.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Cards with links to articles.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["articles"]))]
#[graphql(complex)]
pub struct ReadMoreArticles {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub articles: Vec<ArticleCard>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "url"]))]
pub struct ArticleCard {
    pub title: String,
    pub text: Option<String>,
    pub image: Option<Image>,
    pub url: String,
    pub link_text: Option<String>,
}

impl Model for ReadMoreArticles {
    const NAME: &'static str = "ReadMoreArticles";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.optional("description", self.description.as_deref());
        at.some_of_each("articles", &self.articles);
    }
}

impl Model for ArticleCard {
    const NAME: &'static str = "ArticleCard";

    fn inspect(&self, at: &mut Inspection) {
        at.item_heading("title", &self.title);
        at.optional("text", self.text.as_deref());
        at.nested_if_present("image", self.image.as_ref());
        at.required_link("url", &self.url);
        at.optional("linkText", self.link_text.as_deref());
    }
}
