//! Demo requests of companies.

use std::collections::HashSet;

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;
use crate::renderer::Renderer;

/// The interest that requires a text of the visitor.
const OTHER: &str = "Other";

/// The demo form with texts beside it and after it. Labels of fields come from the web app.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["formHeading", "whatsYourInterest", "b2bBuyButton", "thankU", "b2bThankUMessage"]))]
#[graphql(complex, name = "B2bBookADemo")]
pub struct B2bBookADemo {
    #[serde(skip)]
    pub id: String,
    pub form_heading: String,
    pub side_col_title: Option<String>,
    pub side_items: Vec<String>,
    pub side_image: Option<Image>,
    /// Path of the page of this site behind the logo over the form.
    pub icon_redirect: Option<String>,
    /// The interests to choose from; one `value` is `Other`.
    pub whats_your_interest: Vec<InterestOption>,
    /// Label of the submit button.
    #[graphql(name = "b2bBuyButton")]
    pub b2b_buy_button: String,
    /// Markdown under the button, such as a privacy notice.
    pub note: Option<String>,
    /// `note`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub note_html: Option<String>,
    /// Heading shown in place of the form after it was sent.
    pub thank_u: String,
    #[graphql(name = "b2bThankUMessage")]
    pub b2b_thank_u_message: String,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "value", "label"]))]
pub struct InterestOption {
    pub id: String,
    /// The submitted value, the same in every language.
    pub value: String,
    /// The displayed text.
    pub label: String,
    pub tooltip_text: Option<String>,
}

impl B2bBookADemo {
    fn inspect_interests(&self, at: &mut Inspection) {
        let interests = &self.whats_your_interest;
        at.some_of_each("whatsYourInterest", interests);
        at.unique_ids(
            "whatsYourInterest",
            interests.iter().map(|interest| interest.id.as_str()),
        );
        let mut seen = HashSet::new();
        for (index, interest) in interests.iter().enumerate() {
            if !interest.value.is_empty() && !seen.insert(interest.value.as_str()) {
                at.error(
                    &format!("whatsYourInterest[{index}].value"),
                    BlockErrorCode::Duplicate,
                    "another interest has this value",
                );
            }
        }
        if !interests.is_empty() && !seen.contains(OTHER) {
            at.error(
                "whatsYourInterest",
                BlockErrorCode::Required,
                "one interest must have the value Other",
            );
        }
    }
}

impl Model for B2bBookADemo {
    const NAME: &'static str = "B2bBookADemo";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("sideColTitle", 1, self.side_col_title.as_deref());
        let level = if self.side_col_title.is_some() { 2 } else { 1 };
        at.heading("formHeading", level, &self.form_heading);
        at.lines("sideItems", &self.side_items);
        at.nested_if_present("sideImage", self.side_image.as_ref());
        at.page_of_this_site("iconRedirect", self.icon_redirect.as_deref());
        self.inspect_interests(at);
        at.required("b2bBuyButton", &self.b2b_buy_button);
        at.optional_markdown("note", self.note.as_deref());
        at.required("thankU", &self.thank_u);
        at.required("b2bThankUMessage", &self.b2b_thank_u_message);
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.note_html = self.note.as_deref().map(with.markdown);
    }
}

impl Model for InterestOption {
    const NAME: &'static str = "InterestOption";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("value", &self.value);
        at.required("label", &self.label);
        at.optional("tooltipText", self.tooltip_text.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::BlockError;
    use crate::model::check_record;

    use super::*;

    fn demo(interests: &Value) -> Result<B2bBookADemo, Vec<BlockError>> {
        let json = json!({
            "formHeading": "Book a demo", "whatsYourInterest": interests, "b2bBuyButton": "Send",
            "thankU": "Thank you", "b2bThankUMessage": "We write within a day.",
        });
        check_record(&json.to_string())
    }

    #[test]
    fn reads_interests_as_specified() {
        let interest =
            json!({"id": "other", "value": "Other", "label": "Something else", "tooltipText": "Tell us"});
        let read = demo(&json!([interest])).unwrap();
        assert_eq!(
            serde_json::to_value(&read.whats_your_interest[0]).unwrap(),
            interest
        );
    }

    #[test]
    fn one_interest_is_the_other_one() {
        let errors = demo(&json!([{"id": "sleep", "value": "Sleep", "label": "Sleep"}])).unwrap_err();
        assert_eq!((errors.len(), errors[0].field.as_str()), (1, "whatsYourInterest"));
    }

    #[test]
    fn two_interests_with_one_value_are_refused() {
        let errors = demo(&json!([
            {"id": "a", "value": "Other", "label": "Other"},
            {"id": "b", "value": "Other", "label": "Something else"},
        ]))
        .unwrap_err();
        assert_eq!(
            (errors.len(), errors[0].field.as_str()),
            (1, "whatsYourInterest[1].value")
        );
    }
}
