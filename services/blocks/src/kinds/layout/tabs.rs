//! Options in tabs, one shown at a time.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Tabs with details and a picture.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["tabs"]))]
#[graphql(complex)]
pub struct Tabs {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub tabs: Vec<Tab>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "label", "title"]))]
pub struct Tab {
    /// Unique in the block.
    pub id: String,
    /// Label of the tab.
    pub label: String,
    /// Name of a design icon.
    pub icon: Option<String>,
    pub title: String,
    pub details: Vec<String>,
    pub image: Option<Image>,
}

impl Model for Tabs {
    const NAME: &'static str = "Tabs";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("tabs", &self.tabs);
        at.unique_ids("tabs", self.tabs.iter().map(|item| item.id.as_str()));
    }
}

impl Model for Tab {
    const NAME: &'static str = "Tab";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("label", &self.label);
        at.optional_icon("icon", self.icon.as_deref());
        at.item_heading("title", &self.title);
        at.lines("details", &self.details);
        at.nested_if_present("image", self.image.as_ref());
    }
}
