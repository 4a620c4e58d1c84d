//! Contact requests of partners. The spelling of the name is specified.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::renderer::Renderer;

/// The partner form: the demo form without phone and interests.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["formHeading", "b2bBuyButton", "thankU", "b2bThankUMessage"]))]
#[graphql(complex, name = "B2bFrom")]
pub struct B2bFrom {
    #[serde(skip)]
    pub id: String,
    pub form_heading: String,
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
    pub side_title: Option<String>,
    pub side_text: Option<String>,
    pub side_items: Vec<String>,
}

impl Model for B2bFrom {
    const NAME: &'static str = "B2bFrom";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("sideTitle", 1, self.side_title.as_deref());
        let level = if self.side_title.is_some() { 2 } else { 1 };
        at.heading("formHeading", level, &self.form_heading);
        at.required("b2bBuyButton", &self.b2b_buy_button);
        at.optional_markdown("note", self.note.as_deref());
        at.required("thankU", &self.thank_u);
        at.required("b2bThankUMessage", &self.b2b_thank_u_message);
        at.optional("sideText", self.side_text.as_deref());
        at.lines("sideItems", &self.side_items);
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.note_html = self.note.as_deref().map(with.markdown);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn names_the_texts_it_lacks() {
        let errors =
            check_record::<B2bFrom>(r#"{"formHeading": "Work with us", "sideItems": [""]}"#).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(
            fields,
            ["b2bBuyButton", "thankU", "b2bThankUMessage", "sideItems"]
        );
    }
}
