//! Recovery of a forgotten password.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

/// Requests a password reset. Opened from the mailed link it sets the new password instead.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "successMessage", "failedMessage"]))]
#[graphql(complex)]
pub struct ForgotPassword {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub submit_label: Option<String>,
    /// Shown for every well-formed address, so it must not reveal whether there is an account.
    pub success_message: String,
    pub failed_message: String,
    /// Label of the link to the sign-in page.
    pub go_back_text: Option<String>,
    /// Heading of the form for the new password.
    pub reset_title: Option<String>,
    pub reset_description: Option<String>,
    pub reset_submit_label: Option<String>,
    /// Shown after the password was set.
    pub reset_done_message: Option<String>,
    /// Shown for a used or expired link.
    pub reset_invalid_message: Option<String>,
}

impl Model for ForgotPassword {
    const NAME: &'static str = "ForgotPassword";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.required("successMessage", &self.success_message);
        at.required("failedMessage", &self.failed_message);
        at.optionals(&[
            ("description", &self.description),
            ("submitLabel", &self.submit_label),
            ("goBackText", &self.go_back_text),
            ("resetTitle", &self.reset_title),
            ("resetDescription", &self.reset_description),
            ("resetSubmitLabel", &self.reset_submit_label),
            ("resetDoneMessage", &self.reset_done_message),
            ("resetInvalidMessage", &self.reset_invalid_message),
        ]);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn needs_words_for_both_outcomes() {
        let errors = check_record::<ForgotPassword>(r#"{"title": "Forgot it?"}"#).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["successMessage", "failedMessage"]);
    }
}
