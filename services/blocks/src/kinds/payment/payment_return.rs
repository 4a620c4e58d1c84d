//! The page to which a provider returns a buyer.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;

/// Texts for each outcome. The outcome comes from the payment service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["successTitle", "failureTitle"]))]
#[graphql(complex)]
pub struct PaymentReturn {
    #[serde(skip)]
    pub id: String,
    /// Shown until the provider has answered.
    pub checking_title: Option<String>,
    pub success_title: String,
    pub success_text: Option<String>,
    pub failure_title: String,
    pub failure_text: Option<String>,
    pub retry_label: Option<String>,
    /// Heading of the link of a paid gift.
    pub gift_title: Option<String>,
    pub gift_text: Option<String>,
    pub copy_label: Option<String>,
    /// Replaces the copy label after copying.
    pub copied_label: Option<String>,
    /// The next step after success.
    pub button: Option<Button>,
}

impl Model for PaymentReturn {
    const NAME: &'static str = "PaymentReturn";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("successTitle", 1, &self.success_title);
        at.required("failureTitle", &self.failure_title);
        at.optionals(&[
            ("checkingTitle", &self.checking_title),
            ("successText", &self.success_text),
            ("failureText", &self.failure_text),
            ("retryLabel", &self.retry_label),
            ("giftTitle", &self.gift_title),
            ("giftText", &self.gift_text),
            ("copyLabel", &self.copy_label),
            ("copiedLabel", &self.copied_label),
        ]);
        at.nested_if_present("button", self.button.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn needs_words_for_both_outcomes() {
        let errors = check_record::<PaymentReturn>("{}").unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["successTitle", "failureTitle"]);
    }
}
