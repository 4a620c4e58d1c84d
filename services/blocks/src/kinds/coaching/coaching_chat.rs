//! The chat with a coach or a therapist.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::renderer::Renderer;

/// The chat with its texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "closeLabel"]))]
#[graphql(complex)]
pub struct CoachingChat {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    /// The expected time of a reply.
    pub reply_time_text: Option<String>,
    /// Placeholder of the message field.
    pub placeholder: Option<String>,
    /// Markdown over the messages, such as what the chat is not for.
    pub note: Option<String>,
    /// `note`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub note_html: Option<String>,
    /// Replaces a chat that cannot be opened.
    pub unavailable_text: Option<String>,
    pub close_label: String,
    pub download_label: Option<String>,
    /// Path of the page of this site that links to the app.
    pub download_url: Option<String>,
}

impl Model for CoachingChat {
    const NAME: &'static str = "CoachingChat";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("replyTimeText", self.reply_time_text.as_deref());
        at.optional("placeholder", self.placeholder.as_deref());
        at.optional_markdown("note", self.note.as_deref());
        at.optional("unavailableText", self.unavailable_text.as_deref());
        at.required("closeLabel", &self.close_label);
        at.optional("downloadLabel", self.download_label.as_deref());
        at.page_of_this_site("downloadUrl", self.download_url.as_deref());
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
    fn the_app_is_downloaded_from_a_page_of_this_site() {
        let json =
            r#"{"title": "Your coach", "closeLabel": "Close", "downloadUrl": "https://a.example/app"}"#;
        assert_eq!(
            check_record::<CoachingChat>(json).unwrap_err()[0].field,
            "downloadUrl"
        );
    }

    #[test]
    fn renders_its_note() {
        let mut chat: CoachingChat =
            check_record(r#"{"title": "Your coach", "closeLabel": "Close", "note": "Not for emergencies"}"#)
                .unwrap();
        chat.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(chat.note_html.as_deref(), Some("<p>Not for emergencies</p>"));
    }
}
