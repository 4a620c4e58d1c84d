//! The page after a payment.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::{Image, ResponsiveImage};

/// Confirms the payment and lists the next steps with numbers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "steps"]))]
#[graphql(complex)]
pub struct SuccessPage {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub steps: Vec<SuccessStep>,
    pub image: Option<ResponsiveImage>,
    pub qr_code: Option<QrCode>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text"]))]
pub struct SuccessStep {
    pub text: String,
    pub action_link: Option<ActionLink>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text", "url"]))]
pub struct ActionLink {
    pub text: String,
    pub url: String,
    /// Opened instead of `url` on phones.
    pub deep_link: Option<String>,
}

/// A QR code: a picture of it, or the URL that it encodes.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
pub struct QrCode {
    pub image: Option<Image>,
    pub url: Option<String>,
    pub instructions: Vec<QrInstruction>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text"]))]
pub struct QrInstruction {
    pub icon: QrIcon,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "lowercase")]
#[graphql(rename_items = "lowercase")]
pub enum QrIcon {
    Camera,
    Code,
    #[default]
    Check,
}

impl Model for SuccessPage {
    const NAME: &'static str = "SuccessPage";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.some_of_each("steps", &self.steps);
        at.nested_if_present("image", self.image.as_ref());
        at.nested_if_present("qrCode", self.qr_code.as_ref());
    }
}

impl Model for SuccessStep {
    const NAME: &'static str = "SuccessStep";

    fn inspect(&self, at: &mut Inspection) {
        at.required("text", &self.text);
        at.nested_if_present("actionLink", self.action_link.as_ref());
    }
}

impl Model for ActionLink {
    const NAME: &'static str = "ActionLink";

    fn inspect(&self, at: &mut Inspection) {
        at.required("text", &self.text);
        at.required_link("url", &self.url);
        at.deep_link("deepLink", self.deep_link.as_deref());
    }
}

impl Model for QrCode {
    const NAME: &'static str = "QrCode";

    fn inspect(&self, at: &mut Inspection) {
        if self.image.is_none() && self.url.is_none() {
            at.error("", BlockErrorCode::Required, "needs an image or a url");
        }
        at.nested_if_present("image", self.image.as_ref());
        at.outside("url", self.url.as_deref());
        at.each("instructions", &self.instructions);
    }
}

impl Model for QrInstruction {
    const NAME: &'static str = "QrInstruction";

    fn inspect(&self, at: &mut Inspection) {
        at.required("text", &self.text);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn reads_steps_picture_and_code() {
        let json = r#"{
            "title": "You are in", "steps": [{"text": "Get the app", "actionLink": {"text": "Open", "url": "https://app.example", "deepLink": "stillpoint://today"}}],
            "image": {"mobile": {"url": "/m.webp", "alt": "A"}, "desktop": {"url": "/d.webp", "alt": "A"}},
            "qrCode": {"url": "https://app.example", "instructions": [{"icon": "camera", "text": "Open the camera"}]}
        }"#;
        let page: SuccessPage = check_record(json).unwrap();
        assert_eq!(page.qr_code.unwrap().instructions[0].icon, QrIcon::Camera);
    }

    #[test]
    fn names_the_step_and_the_code_of_the_error() {
        let json = r#"{"title": "Done", "steps": [{"text": "Go", "actionLink": {"text": "Go"}}], "qrCode": {"instructions": [{"icon": "check"}]}}"#;
        let errors = check_record::<SuccessPage>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(
            fields,
            ["steps[0].actionLink.url", "qrCode", "qrCode.instructions[0].text"]
        );
    }

    #[test]
    fn accepts_only_three_icons() {
        let json = r#"{"title": "Done", "steps": [{"text": "Go"}], "qrCode": {"url": "https://a.example", "instructions": [{"icon": "star", "text": "x"}]}}"#;
        assert_eq!(
            check_record::<SuccessPage>(json).unwrap_err()[0].field,
            "qrCode.instructions[0].icon"
        );
    }
}
