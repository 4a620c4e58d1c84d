//! Creation and delivery of a gift card.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::Image;

/// Creates a gift card in three steps. The themes come from the gift service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["builder"]))]
#[graphql(complex)]
pub struct GiftCardBuilder {
    #[serde(skip)]
    pub id: String,
    pub builder: GiftBuilderTexts,
}

/// An invitation to create a card, which opens the builder.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "startLabel", "builder"]))]
#[graphql(complex)]
pub struct GiftGenerator {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub text: Option<String>,
    pub start_label: String,
    pub image: Option<Image>,
    pub builder: GiftBuilderTexts,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = [
    "title", "steps", "messageLabel", "nameLabel", "continueLabel", "backLabel", "frontLabel", "backSideLabel",
    "sendLabel", "paymentPath",
]))]
pub struct GiftBuilderTexts {
    pub title: String,
    pub description: Option<String>,
    pub steps: GiftSteps,
    /// Label of the choice of four patterns for the card's header.
    pub header_label: Option<String>,
    pub box1_label: Option<String>,
    pub box2_label: Option<String>,
    pub box3_label: Option<String>,
    pub message_label: String,
    pub message_placeholder: Option<String>,
    pub name_label: String,
    pub name_placeholder: Option<String>,
    pub continue_label: String,
    pub back_label: String,
    /// Label of the button that turns the card to its front.
    pub front_label: String,
    /// Label of the button that turns the card to its back.
    pub back_side_label: String,
    pub send_label: String,
    /// Path of the page of this site where the card is paid.
    pub payment_path: String,
}

/// Names of the three steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["themeLabel", "customizeLabel", "previewLabel"]))]
pub struct GiftSteps {
    pub theme_label: String,
    pub customize_label: String,
    pub preview_label: String,
}

/// The link of a paid card, to copy and send.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "copyLabel", "copiedLabel"]))]
#[graphql(complex)]
pub struct GiftSuccess {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub text: Option<String>,
    pub copy_label: String,
    /// Replaces the copy label after copying.
    pub copied_label: String,
    /// Label of the button that opens the card.
    pub open_label: Option<String>,
    /// Shown while the payment is not confirmed.
    pub waiting_text: Option<String>,
    /// Shown if this browser has no card.
    pub missing_text: Option<String>,
    pub button: Option<Button>,
}

impl Model for GiftCardBuilder {
    const NAME: &'static str = "GiftCardBuilder";

    fn inspect(&self, at: &mut Inspection) {
        at.outline("builder.title", 1, &self.builder.title);
        at.nested("builder", &self.builder);
    }
}

impl Model for GiftGenerator {
    const NAME: &'static str = "GiftGenerator";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("text", self.text.as_deref());
        at.required("startLabel", &self.start_label);
        at.nested_if_present("image", self.image.as_ref());
        at.outline("builder.title", 2, &self.builder.title);
        at.nested("builder", &self.builder);
    }
}

impl Model for GiftBuilderTexts {
    const NAME: &'static str = "GiftBuilderTexts";

    fn inspect(&self, at: &mut Inspection) {
        at.required("title", &self.title);
        at.nested("steps", &self.steps);
        for (field, text) in [
            ("messageLabel", &self.message_label),
            ("nameLabel", &self.name_label),
            ("continueLabel", &self.continue_label),
            ("backLabel", &self.back_label),
            ("frontLabel", &self.front_label),
            ("backSideLabel", &self.back_side_label),
            ("sendLabel", &self.send_label),
        ] {
            at.required(field, text);
        }
        at.optionals(&[
            ("description", &self.description),
            ("headerLabel", &self.header_label),
            ("box1Label", &self.box1_label),
            ("box2Label", &self.box2_label),
            ("box3Label", &self.box3_label),
            ("messagePlaceholder", &self.message_placeholder),
            ("namePlaceholder", &self.name_placeholder),
        ]);
        at.required_page("paymentPath", &self.payment_path);
    }
}

impl Model for GiftSteps {
    const NAME: &'static str = "GiftSteps";

    fn inspect(&self, at: &mut Inspection) {
        at.required("themeLabel", &self.theme_label);
        at.required("customizeLabel", &self.customize_label);
        at.required("previewLabel", &self.preview_label);
    }
}

impl Model for GiftSuccess {
    const NAME: &'static str = "GiftSuccess";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("text", self.text.as_deref());
        at.required("copyLabel", &self.copy_label);
        at.required("copiedLabel", &self.copied_label);
        at.optional("openLabel", self.open_label.as_deref());
        at.optional("waitingText", self.waiting_text.as_deref());
        at.optional("missingText", self.missing_text.as_deref());
        at.nested_if_present("button", self.button.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::model::check_record;

    use super::*;

    fn texts() -> Value {
        json!({
            "title": "Make a card", "steps": {"themeLabel": "Colour", "customizeLabel": "Words", "previewLabel": "Send"},
            "messageLabel": "Your words", "nameLabel": "Your name", "continueLabel": "Continue", "backLabel": "Back",
            "frontLabel": "Front", "backSideLabel": "Back side", "sendLabel": "Send", "paymentPath": "/payment/gift",
        })
    }

    #[test]
    fn every_step_has_a_name() {
        let mut builder = texts();
        builder["steps"] = json!({"themeLabel": "Colour", "previewLabel": "Send"});
        let errors = check_record::<GiftCardBuilder>(&json!({"builder": builder}).to_string()).unwrap_err();
        assert_eq!(
            (errors.len(), errors[0].field.as_str()),
            (1, "builder.steps.customizeLabel")
        );
    }

    #[test]
    fn a_card_is_paid_for_on_a_page_of_this_site() {
        let mut builder = texts();
        builder["paymentPath"] = json!("https://evil.example");
        let generator = json!({"title": "Give a quiet year", "startLabel": "Start", "builder": builder});
        let errors = check_record::<GiftGenerator>(&generator.to_string()).unwrap_err();
        assert_eq!(
            (errors.len(), errors[0].field.as_str()),
            (1, "builder.paymentPath")
        );
    }

    #[test]
    fn where_a_card_is_paid_for_is_a_link_of_the_block() {
        let builder: GiftCardBuilder = check_record(&json!({"builder": texts()}).to_string()).unwrap();
        let links = Inspection::of(&builder).links();
        assert_eq!((links.len(), links[0].path.as_str()), (1, "/payment/gift"));
    }
}
