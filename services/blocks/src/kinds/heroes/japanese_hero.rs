//! The hero of the Japanese landing pages.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::Image;

/// Scenes in tabs, a video and a link to the app.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["tabs", "downloadButton"]))]
#[graphql(complex)]
pub struct JapaneseHero {
    #[serde(skip)]
    pub id: String,
    pub tabs: Vec<JapaneseHeroTab>,
    pub download_button: Button,
    pub video_url: Option<String>,
    pub video_title: Option<String>,
    /// Label of the button that starts the video.
    pub video_label: Option<String>,
    pub scroll_button_text: Option<String>,
    /// The id of the section to which the scroll button leads.
    pub scroll_target_id: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "label", "title"]))]
pub struct JapaneseHeroTab {
    /// Unique in the block.
    pub id: String,
    /// Label of the tab.
    pub label: String,
    /// The title of the open tab is the page's `h1`.
    pub title: String,
    pub description: Option<String>,
    pub image: Option<Image>,
}

impl Model for JapaneseHero {
    const NAME: &'static str = "JapaneseHero";

    fn inspect(&self, at: &mut Inspection) {
        at.some_of_each("tabs", &self.tabs);
        at.unique_ids("tabs", self.tabs.iter().map(|item| item.id.as_str()));
        at.nested("downloadButton", &self.download_button);
        at.optional_source("videoUrl", self.video_url.as_deref());
        at.optionals(&[
            ("videoTitle", &self.video_title),
            ("videoLabel", &self.video_label),
            ("scrollButtonText", &self.scroll_button_text),
        ]);
        at.optional_slug("scrollTargetId", self.scroll_target_id.as_deref());
        if let Some(first) = self.tabs.first() {
            at.outline("tabs[0].title", 1, &first.title);
        }
    }
}

impl Model for JapaneseHeroTab {
    const NAME: &'static str = "JapaneseHeroTab";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("label", &self.label);
        at.required("title", &self.title);
        at.optional("description", self.description.as_deref());
        at.nested_if_present("image", self.image.as_ref());
    }
}
