//! Registration of a member with a seat bought by a company.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;
use crate::renderer::Renderer;

/// The form behind an invitation.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex)]
pub struct RegisterBusinessUser {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub submit_label: Option<String>,
    /// Markdown under the button, such as the terms of the sign-up.
    pub note: Option<String>,
    /// `note`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub note_html: Option<String>,
    /// The next step after registration.
    pub button: Option<Button>,
}

impl Model for RegisterBusinessUser {
    const NAME: &'static str = "RegisterBusinessUser";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.optional("submitLabel", self.submit_label.as_deref());
        at.optional_markdown("note", self.note.as_deref());
        at.nested_if_present("button", self.button.as_ref());
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
    fn names_what_its_button_lacks() {
        let json = r#"{"title": "Join your team", "button": {"text": "Open the app"}}"#;
        assert_eq!(
            check_record::<RegisterBusinessUser>(json).unwrap_err()[0].field,
            "button.url"
        );
    }
}
