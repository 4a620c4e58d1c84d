//! A heading between other blocks.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;

/// A heading with an optional line below it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text"]))]
#[graphql(complex)]
pub struct Heading {
    #[serde(skip)]
    pub id: String,
    pub text: String,
    /// The HTML element, which decides the level in the page's outline.
    pub tag: HeadingTag,
    /// The line below.
    pub sub: Option<String>,
    /// The size from 1 (largest) to 6, independent of the element.
    pub level: Option<i32>,
    pub direction: Option<Direction>,
    /// Two or more colours, comma separated.
    pub gradient: Option<String>,
    pub color: Option<String>,
    pub font: Option<FontSettings>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "lowercase")]
#[graphql(rename_items = "lowercase")]
pub enum HeadingTag {
    H1,
    #[default]
    H2,
    H3,
    H4,
    H5,
    H6,
    P,
}

impl HeadingTag {
    /// The level in the page's outline; a paragraph has none.
    fn level(self) -> Option<u8> {
        match self {
            Self::H1 => Some(1),
            Self::H2 => Some(2),
            Self::H3 => Some(3),
            Self::H4 => Some(4),
            Self::H5 => Some(5),
            Self::H6 => Some(6),
            Self::P => None,
        }
    }
}

/// The direction of the text if it differs from the page's.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "lowercase")]
#[graphql(rename_items = "lowercase")]
pub enum Direction {
    Ltr,
    Rtl,
    Auto,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
pub struct FontSettings {
    /// `display` or `body`: the two typefaces of the design.
    pub family: Option<String>,
    /// In pixels.
    pub size: Option<i32>,
    pub weight: Option<i32>,
    /// In percent of the size.
    pub line_height: Option<i32>,
}

impl Model for Heading {
    const NAME: &'static str = "Heading";

    fn inspect(&self, at: &mut Inspection) {
        match self.tag.level() {
            Some(level) => at.heading("text", level, &self.text),
            None => at.required("text", &self.text),
        }
        at.optional("sub", self.sub.as_deref());
        at.within("level", self.level, 1..=6);
        at.text_gradient("gradient", self.gradient.as_deref());
        at.text_colour("color", self.color.as_deref());
        at.nested_if_present("font", self.font.as_ref());
    }
}

impl Model for FontSettings {
    const NAME: &'static str = "FontSettings";

    fn inspect(&self, at: &mut Inspection) {
        if !matches!(self.family.as_deref(), None | Some("display" | "body")) {
            at.error("family", BlockErrorCode::NotAllowed, "must be display or body");
        }
        at.within("size", self.size, 12..=96);
        at.within("weight", self.weight, 100..=900);
        at.within("lineHeight", self.line_height, 100..=200);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn is_an_h2_unless_it_says_otherwise() {
        assert_eq!(
            check_record::<Heading>(r#"{"text": "Plans"}"#).unwrap().tag,
            HeadingTag::H2
        );
        assert_eq!(
            check_record::<Heading>(r#"{"text": "Plans", "tag": "h3"}"#)
                .unwrap()
                .tag,
            HeadingTag::H3
        );
    }

    #[test]
    fn accepts_only_heading_elements() {
        let error = check_record::<Heading>(r#"{"text": "Plans", "tag": "script"}"#)
            .unwrap_err()
            .remove(0);
        assert_eq!(
            (error.field.as_str(), error.code),
            ("tag", BlockErrorCode::Malformed)
        );
        assert!(error.message.contains("h2"), "{}", error.message);
    }

    #[test]
    fn names_every_style_out_of_range() {
        let json = r#"{"text": "Plans", "level": 7, "gradient": "red", "color": "rgb(0,0,0)", "font": {"family": "Comic", "size": 400}}"#;
        let errors = check_record::<Heading>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["level", "gradient", "color", "font.family", "font.size"]);
    }
}
