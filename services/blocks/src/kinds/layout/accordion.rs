//! Questions with collapsible answers.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::renderer::Renderer;

/// Frequently asked questions.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["items"]))]
#[graphql(complex)]
pub struct Accordion {
    #[serde(skip)]
    pub id: String,
    pub heading: Option<String>,
    /// Marks the items as questions and answers for search engines.
    pub faq: bool,
    pub items: Vec<AccordionItem>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["question", "answer"]))]
pub struct AccordionItem {
    pub question: String,
    /// Markdown.
    pub answer: String,
    /// `answer`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub answer_html: String,
}

impl Model for Accordion {
    const NAME: &'static str = "Accordion";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("heading", 2, self.heading.as_deref());
        at.some_of_each("items", &self.items);
    }

    fn render(&mut self, with: &Renderer<'_>) {
        for item in &mut self.items {
            item.answer_html = (with.markdown)(&item.answer);
        }
    }
}

impl Model for AccordionItem {
    const NAME: &'static str = "AccordionItem";

    fn inspect(&self, at: &mut Inspection) {
        at.required("question", &self.question);
        at.markdown("answer", &self.answer);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn renders_every_answer() {
        let json = r#"{"heading": "Questions", "items": [{"question": "Why?", "answer": "Because"}, {"question": "How?", "answer": "So"}]}"#;
        let mut accordion: Accordion = check_record(json).unwrap();
        accordion.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        let answers: Vec<&str> = accordion
            .items
            .iter()
            .map(|item| item.answer_html.as_str())
            .collect();
        assert_eq!(answers, ["<p>Because</p>", "<p>So</p>"]);
    }

    #[test]
    fn names_the_question_without_an_answer() {
        let json = r#"{"items": [{"question": "Why?", "answer": "Because"}, {"question": "How?"}]}"#;
        assert_eq!(
            check_record::<Accordion>(json).unwrap_err()[0].field,
            "items[1].answer"
        );
    }
}
