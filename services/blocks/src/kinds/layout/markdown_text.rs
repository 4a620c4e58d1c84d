//! Running text.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::renderer::Renderer;

/// Text written as Markdown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["markdown"]))]
#[graphql(complex)]
pub struct MarkdownText {
    #[serde(skip)]
    pub id: String,
    /// Markdown.
    pub markdown: String,
    /// `markdown`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub html: String,
}

impl Model for MarkdownText {
    const NAME: &'static str = "MarkdownText";

    fn inspect(&self, at: &mut Inspection) {
        at.markdown("markdown", &self.markdown);
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.html = (with.markdown)(&self.markdown);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn what_an_editor_puts_in_place_of_the_rendered_text_is_overwritten() {
        let mut text: MarkdownText =
            check_record(r#"{"markdown": "Breathe", "html": "<script>alert(1)</script>"}"#).unwrap();
        text.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(text.html, "<p>Breathe</p>");
    }

    #[test]
    fn needs_a_text() {
        assert_eq!(
            check_record::<MarkdownText>(r#"{"markdown": "  "}"#).unwrap_err()[0].field,
            "markdown"
        );
    }
}
