//! Rules and terms as HTML.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::renderer::Renderer;

/// A long text with headings.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["content"]))]
#[graphql(complex)]
pub struct RulesPage {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1`.
    pub title: Option<String>,
    /// HTML. Scripts and hidden content are removed at publication.
    pub content: String,
    /// `content`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub content_html: String,
}

impl Model for RulesPage {
    const NAME: &'static str = "RulesPage";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 1, self.title.as_deref());
        at.required("content", &self.content);
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.content_html = (with.html)(&self.content);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn its_html_is_made_safe_and_not_read_as_markdown() {
        let mut rules: RulesPage = check_record(r#"{"content": "<b>Be kind</b>"}"#).unwrap();
        rules.render(&Renderer {
            markdown: &|_| "read as Markdown".to_owned(),
            html: &|html| format!("safe: {html}"),
        });
        assert_eq!(rules.content_html, "safe: <b>Be kind</b>");
    }
}
