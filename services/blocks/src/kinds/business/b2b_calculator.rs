//! The price of seats for a team, and their purchase.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::link::Link;
use crate::renderer::Renderer;

/// A price calculator and a contact form. Prices come from the business service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "formHeading", "submitLabel", "thankU", "thankUMessage"]))]
#[graphql(complex, name = "B2bCalculator")]
pub struct B2bCalculator {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    /// Label of the button that buys the calculated seats.
    pub buy_label: Option<String>,
    pub form_heading: String,
    pub submit_label: String,
    /// Markdown under the form, such as a privacy notice.
    pub note: Option<String>,
    /// `note`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub note_html: Option<String>,
    /// Heading shown in place of the form after it was sent.
    pub thank_u: String,
    pub thank_u_message: String,
    /// Shown above the number of seats that require a contact to sales.
    pub many_seats_note: Option<String>,
    /// Contact link beside that note.
    pub contact: Option<Link>,
}

impl Model for B2bCalculator {
    const NAME: &'static str = "B2bCalculator";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.optional("buyLabel", self.buy_label.as_deref());
        at.heading("formHeading", 2, &self.form_heading);
        at.required("submitLabel", &self.submit_label);
        at.optional_markdown("note", self.note.as_deref());
        at.required("thankU", &self.thank_u);
        at.required("thankUMessage", &self.thank_u_message);
        at.optional("manySeatsNote", self.many_seats_note.as_deref());
        at.nested_if_present("contact", self.contact.as_ref());
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
    fn names_what_its_contact_lacks() {
        let json = r#"{"title": "Seats", "formHeading": "Talk to us", "submitLabel": "Send", "thankU": "Thank you",
            "thankUMessage": "We write soon.", "contact": {"text": "Book a demo"}}"#;
        assert_eq!(
            check_record::<B2bCalculator>(json).unwrap_err()[0].field,
            "contact.url"
        );
    }
}
