//! The member's subscription: price, next charge and available changes.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;

/// The member's subscription. State and available changes come from the payment service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "emptyTitle", "emptyText", "button"]))]
#[graphql(complex)]
pub struct MemberAccount {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    /// For members without a subscription.
    pub empty_title: String,
    pub empty_text: String,
    /// Links to the plans.
    pub button: Button,
    /// The seller as on receipts: name and address, line by line.
    pub seller: Option<String>,
}

impl Model for MemberAccount {
    const NAME: &'static str = "MemberAccount";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.required("emptyTitle", &self.empty_title);
        at.required("emptyText", &self.empty_text);
        at.nested("button", &self.button);
        at.optional("seller", self.seller.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn has_something_to_say_to_members_without_a_subscription() {
        let json = r#"{"title": "Your subscription", "button": {"text": "See the plans"}}"#;
        let errors = check_record::<MemberAccount>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["emptyTitle", "emptyText", "button.url"]);
    }
}
