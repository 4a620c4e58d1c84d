//! The last step before the first session with a coach.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::renderer::Renderer;

/// Shows the account and the profile form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex)]
pub struct CoachingSignup {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub submit_label: Option<String>,
    /// Markdown under the button.
    pub note: Option<String>,
    /// `note`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub note_html: Option<String>,
}

impl Model for CoachingSignup {
    const NAME: &'static str = "CoachingSignup";

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
    fn renders_its_note() {
        let mut form: CoachingSignup =
            check_record(r#"{"title": "Almost there", "note": "Only your coach reads it"}"#).unwrap();
        form.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(form.note_html.as_deref(), Some("<p>Only your coach reads it</p>"));
    }
}
