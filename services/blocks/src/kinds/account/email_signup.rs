//! Sign-up with an e-mail address only.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::renderer::Renderer;

/// One field and a button. The member sets the password later, with a mailed link.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex)]
pub struct EmailSignup {
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
}

impl Model for EmailSignup {
    const NAME: &'static str = "EmailSignup";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.optional("submitLabel", self.submit_label.as_deref());
        at.optional_markdown("note", self.note.as_deref());
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
    fn renders_its_note_and_nothing_in_place_of_none() {
        let mut form: EmailSignup = check_record(r#"{"title": "Begin", "note": "You agree."}"#).unwrap();
        form.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(form.note_html.as_deref(), Some("<p>You agree.</p>"));

        let mut bare: EmailSignup = check_record(r#"{"title": "Begin", "noteHtml": "<img>"}"#).unwrap();
        bare.render(&Renderer::plain(&|markdown| markdown.to_owned()));
        assert_eq!(bare.note_html, None);
    }
}
