//! A member's name, address and password, with an optional offer.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;

/// The profile form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex)]
pub struct UserProfileUpdate {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub submit_label: Option<String>,
    /// Confirms the saved change if there is no `successPath`.
    pub success_message: Option<String>,
    pub offer: Option<SpecialOfferPart>,
    /// Path of the page of this site that follows a saved change.
    pub success_path: Option<String>,
}

/// An offer beside the form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
pub struct SpecialOfferPart {
    pub title: String,
    pub text: Option<String>,
    pub badge: Option<String>,
    pub button: Option<Button>,
}

impl Model for UserProfileUpdate {
    const NAME: &'static str = "UserProfileUpdate";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.optional("submitLabel", self.submit_label.as_deref());
        at.optional("successMessage", self.success_message.as_deref());
        at.nested_if_present("offer", self.offer.as_ref());
        at.page_of_this_site("successPath", self.success_path.as_deref());
    }
}

impl Model for SpecialOfferPart {
    const NAME: &'static str = "SpecialOfferPart";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("text", self.text.as_deref());
        at.optional("badge", self.badge.as_deref());
        at.nested_if_present("button", self.button.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn names_what_is_wrong_inside_the_offer() {
        let json = r#"{"title": "Your profile", "offer": {"button": {"text": "Take it"}}, "successPath": "//evil.example"}"#;
        let errors = check_record::<UserProfileUpdate>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["offer.title", "offer.button.url", "successPath"]);
    }
}
