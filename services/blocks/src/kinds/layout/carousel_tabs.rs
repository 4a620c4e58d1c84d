//! Tabs that advance automatically.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Tabs that advance until the visitor chooses one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["tabs"]))]
#[graphql(complex)]
pub struct CarouselTabs {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    /// Duration of a tab in milliseconds, 5000 or 8000; absent: 8000.
    pub autoplay_ms: Option<i32>,
    pub tabs: Vec<CarouselTab>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "label", "title"]))]
pub struct CarouselTab {
    /// Unique in the block.
    pub id: String,
    /// Label of the tab.
    pub label: String,
    pub title: String,
    pub text: Option<String>,
    pub image: Option<Image>,
}

impl Model for CarouselTabs {
    const NAME: &'static str = "CarouselTabs";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.some_of_each("tabs", &self.tabs);
        at.unique_ids("tabs", self.tabs.iter().map(|item| item.id.as_str()));
        if !matches!(self.autoplay_ms, None | Some(5000 | 8000)) {
            at.error("autoplayMs", BlockErrorCode::NotAllowed, "must be 5000 or 8000");
        }
    }
}

impl Model for CarouselTab {
    const NAME: &'static str = "CarouselTab";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("label", &self.label);
        at.item_heading("title", &self.title);
        at.optional("text", self.text.as_deref());
        at.nested_if_present("image", self.image.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    #[test]
    fn moves_on_after_five_or_eight_seconds_only() {
        let tabs = json!([{"id": "one", "label": "One", "title": "One"}]);
        for (autoplay, good) in [(5000, true), (8000, true), (100, false)] {
            let given = json!({"autoplayMs": autoplay, "tabs": tabs}).to_string();
            assert_eq!(check_record::<CarouselTabs>(&given).is_ok(), good, "{autoplay}");
        }
    }
}
