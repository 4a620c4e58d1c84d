//! Features of the product, one card each.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Cards with an icon, a heading and a few sentences.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["items"]))]
#[graphql(complex)]
pub struct FeatureCards {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub items: Vec<FeatureCard>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["icon", "heading", "text"]))]
pub struct FeatureCard {
    /// Name of a design icon.
    pub icon: String,
    pub heading: String,
    pub text: String,
    /// Link target of the card.
    pub url: Option<String>,
    pub image: Option<Image>,
}

impl Model for FeatureCards {
    const NAME: &'static str = "FeatureCards";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.optional("description", self.description.as_deref());
        at.some_of_each("items", &self.items);
    }
}

impl Model for FeatureCard {
    const NAME: &'static str = "FeatureCard";

    fn inspect(&self, at: &mut Inspection) {
        at.icon("icon", &self.icon);
        at.item_heading("heading", &self.heading);
        at.required("text", &self.text);
        at.optional_link("url", self.url.as_deref());
        at.nested_if_present("image", self.image.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn reads_its_cards() {
        let json = r#"{"title": "Three ways", "items": [{"icon": "meditation", "heading": "Meditate", "text": "Daily."}]}"#;
        assert_eq!(
            check_record::<FeatureCards>(json).unwrap().items[0].icon,
            "meditation"
        );
    }

    #[test]
    fn names_what_a_card_lacks() {
        let errors = check_record::<FeatureCards>(r#"{"items": [{"icon": "Not a name", "heading": "A"}]}"#)
            .unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["items[0].icon", "items[0].text"]);
    }
}
