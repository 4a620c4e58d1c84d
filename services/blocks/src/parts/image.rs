//! Images, used inside other blocks.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

/// A picture. Its size prevents layout shifts while it loads.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["url", "alt"]))]
pub struct Image {
    pub url: String,
    /// Text alternative for screen readers.
    pub alt: String,
    pub width: Option<i32>,
    pub height: Option<i32>,
}

impl Model for Image {
    const NAME: &'static str = "Image";

    fn inspect(&self, at: &mut Inspection) {
        at.picture(&self.url, &self.alt);
        at.within("width", self.width, 1..=10_000);
        at.within("height", self.height, 1..=10_000);
    }
}

/// One picture for phones and one for larger screens.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["mobile", "desktop"]))]
pub struct ResponsiveImage {
    pub mobile: Image,
    pub desktop: Image,
}

impl Model for ResponsiveImage {
    const NAME: &'static str = "ResponsiveImage";

    fn inspect(&self, at: &mut Inspection) {
        at.nested("mobile", &self.mobile);
        at.nested("desktop", &self.desktop);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn reads_a_picture_with_its_size() {
        let image: Image =
            check_record(r#"{"url": "/favicon.svg", "alt": "Stillpoint", "width": 32, "height": 32}"#)
                .unwrap();
        assert_eq!((image.width, image.height), (Some(32), Some(32)));
    }

    #[test]
    fn needs_a_url_and_an_alternative_text() {
        let errors =
            check_record::<Image>(r#"{"url": "http://plain.example/a.png", "width": 0}"#).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["url", "alt", "width"]);
    }

    #[test]
    fn names_the_invalid_side() {
        let json = r#"{"mobile": {"url": "/a.png", "alt": "A"}, "desktop": {"url": "/b.png"}}"#;
        assert_eq!(
            check_record::<ResponsiveImage>(json).unwrap_err()[0].field,
            "desktop.alt"
        );
    }
}
