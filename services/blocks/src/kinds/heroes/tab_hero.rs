//! A hero with tabs.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::Image;

/// The opening of a page, with one scene per tab.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["tabs"]))]
#[graphql(complex)]
pub struct TabHero {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1`; absent: the title of the open tab is the `h1`.
    pub title: Option<String>,
    pub tabs: Vec<HeroTab>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "label", "title"]))]
pub struct HeroTab {
    /// Unique in the block.
    pub id: String,
    /// Label of the tab.
    pub label: String,
    pub title: String,
    pub description: Option<String>,
    pub background_image: Option<Image>,
    pub button: Option<Button>,
}

impl Model for TabHero {
    const NAME: &'static str = "TabHero";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 1, self.title.as_deref());
        at.some_of_each("tabs", &self.tabs);
        if let Some(first) = self.tabs.first() {
            let level = if self.title.is_some() { 2 } else { 1 };
            at.outline("tabs[0].title", level, &first.title);
        }
        at.unique_ids("tabs", self.tabs.iter().map(|item| item.id.as_str()));
    }
}

impl Model for HeroTab {
    const NAME: &'static str = "HeroTab";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("label", &self.label);
        at.required("title", &self.title);
        at.optional("description", self.description.as_deref());
        at.nested_if_present("backgroundImage", self.background_image.as_ref());
        at.nested_if_present("button", self.button.as_ref());
    }
}
