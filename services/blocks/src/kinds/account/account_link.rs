//! Links a partner's account to the member's account.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;

/// The form behind the partner's link. The form is shown only for a valid link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "submitLabel", "invalidText", "successText"]))]
#[graphql(complex)]
pub struct AccountLink {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub submit_label: String,
    /// Replaces the form if the link is invalid.
    pub invalid_text: String,
    pub success_text: String,
    /// The next step after the accounts are linked.
    pub button: Option<Button>,
}

impl Model for AccountLink {
    const NAME: &'static str = "AccountLink";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.required("submitLabel", &self.submit_label);
        at.required("invalidText", &self.invalid_text);
        at.required("successText", &self.success_text);
        at.nested_if_present("button", self.button.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn needs_words_for_a_good_link_and_for_a_bad_one() {
        let errors = check_record::<AccountLink>(r#"{"title": "Link", "submitLabel": "Link"}"#).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["invalidText", "successText"]);
    }
}
