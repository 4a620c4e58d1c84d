//! A button, used inside other blocks.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;

/// A button with a link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text", "url"]))]
#[expect(
    clippy::struct_excessive_bools,
    reason = "the specified button has these flags, each independent"
)]
pub struct Button {
    pub text: String,
    pub url: String,
    pub color: Option<String>,
    pub border_color: Option<String>,
    pub background_color: Option<String>,
    /// Opens in a new tab.
    pub external: bool,
    /// Search engines do not follow it.
    pub no_follow: bool,
    pub disabled: bool,
    /// Styled as a text link.
    pub link: bool,
    pub primary: bool,
    pub secondary: bool,
    pub small: bool,
    /// `auto`, `full`, or pixels such as `240px`.
    pub width: Option<String>,
    /// Opened instead of `url` on phones.
    pub deep_link: Option<String>,
    /// A short line under the button.
    pub info: Option<String>,
    /// The analytics event of a press.
    pub event_name: Option<String>,
    pub event_section: Option<String>,
}

impl Model for Button {
    const NAME: &'static str = "Button";

    fn inspect(&self, at: &mut Inspection) {
        at.required("text", &self.text);
        at.required_link("url", &self.url);
        at.colours(
            ("color", self.color.as_deref(), self.text_of_the_design()),
            (
                "backgroundColor",
                self.background_color.as_deref(),
                self.ground_of_the_design(),
            ),
        );
        at.colour("borderColor", self.border_color.as_deref());
        at.deep_link("deepLink", self.deep_link.as_deref());
        at.optional("info", self.info.as_deref());
        at.token("eventName", self.event_name.as_deref());
        at.token("eventSection", self.event_section.as_deref());
        if self.width.as_deref().is_some_and(|width| !is_width(width)) {
            at.error(
                "width",
                BlockErrorCode::NotAllowed,
                "must be auto, full, or pixels as 240px",
            );
        }
        if self.external && self.url.starts_with('/') {
            at.error(
                "external",
                BlockErrorCode::NotAllowed,
                "a page of this site is not external",
            );
        }
    }
}

impl Button {
    fn text_of_the_design(&self) -> &'static str {
        if self.primary { "on-action" } else { "action" }
    }

    fn ground_of_the_design(&self) -> &'static str {
        if self.primary { "action" } else { "paper" }
    }
}

fn is_width(width: &str) -> bool {
    let pixels =
        |text: &str| text.len() <= 4 && !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    matches!(width, "auto" | "full") || width.strip_suffix("px").is_some_and(pixels)
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    fn invalid_fields(json: &str) -> Vec<String> {
        check_record::<Button>(json)
            .unwrap_err()
            .into_iter()
            .map(|error| error.field)
            .collect()
    }

    #[test]
    fn reads_all_seventeen_fields() {
        let json = serde_json::json!({
            "text": "Start", "url": "/payment/annual", "color": "#ffffff", "borderColor": "#493690",
            "backgroundColor": "action", "external": false, "noFollow": true, "disabled": false, "link": false,
            "primary": true, "secondary": false, "small": false, "width": "240px", "deepLink": "stillpoint://plans",
            "info": "Cancel any time", "eventName": "plan_click", "eventSection": "hero",
        });
        let button: Button = check_record(&json.to_string()).unwrap();
        assert_eq!(serde_json::to_value(&button).unwrap(), json);
        assert_eq!(json.as_object().unwrap().len(), 17);
    }

    #[test]
    fn needs_a_text_and_a_url() {
        assert_eq!(invalid_fields("{}"), ["text", "url"]);
    }

    #[test]
    fn refuses_an_address_that_runs_code() {
        assert_eq!(
            invalid_fields(r#"{"text": "Go", "url": "javascript:alert(1)"}"#),
            ["url"]
        );
        assert_eq!(
            invalid_fields(r#"{"text": "Go", "url": "/", "deepLink": "javascript:alert(1)"}"#),
            ["deepLink"]
        );
    }

    #[test]
    fn refuses_style_rules_in_disguise() {
        let json = r#"{"text": "Go", "url": "/", "color": "red;position:fixed", "width": "calc(100vw)"}"#;
        assert_eq!(invalid_fields(json), ["color", "width"]);
    }

    #[test]
    fn a_page_of_this_site_is_not_external() {
        assert_eq!(
            invalid_fields(r#"{"text": "Go", "url": "/signup", "external": true}"#),
            ["external"]
        );
    }

    #[test]
    fn a_field_of_the_wrong_type_is_named() {
        assert_eq!(
            invalid_fields(r#"{"text": "Go", "url": "/", "primary": "yes"}"#),
            ["primary"]
        );
    }
}
