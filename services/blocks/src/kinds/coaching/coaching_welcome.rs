//! The home page of a member with a coach or a therapist.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Chat, programme, sessions and credits, with their texts.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = [
    "title", "chatLabel", "programLabel", "bookLabel", "extraLabel", "sessionsTitle", "emptyText", "cancelLabel",
    "rescheduleLabel",
]))]
#[graphql(complex)]
pub struct CoachingWelcome {
    #[serde(skip)]
    pub id: String,
    pub service: SessionService,
    /// For members whose company pays for coaching.
    #[graphql(name = "b2b")]
    pub b2b: bool,
    pub title: String,
    /// Replaces the title on the first visit.
    pub new_title: Option<String>,
    pub description: Option<String>,
    /// Replaces the description on the first visit.
    pub new_description: Option<String>,
    pub image: Option<Image>,
    pub chat_label: String,
    pub chat_text: Option<String>,
    pub program_label: String,
    pub program_text: Option<String>,
    pub program_url: Option<String>,
    pub book_label: String,
    pub book_text: Option<String>,
    /// Label of the used and granted sessions.
    pub credits_label: Option<String>,
    pub extra_label: String,
    pub extra_text: Option<String>,
    pub sessions_title: String,
    /// Shown if no session is booked.
    pub empty_text: String,
    pub cancel_label: String,
    pub reschedule_label: String,
    pub join_label: Option<String>,
    /// Explains why a session that starts soon cannot be canceled or moved.
    pub window_note: Option<String>,
}

/// The kind of session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum SessionService {
    #[default]
    Coaching,
    /// Therapy; `counseling` is its specified name.
    Counseling,
}

impl Model for CoachingWelcome {
    const NAME: &'static str = "CoachingWelcome";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.heading("sessionsTitle", 2, &self.sessions_title);
        for (field, text) in [
            ("chatLabel", &self.chat_label),
            ("programLabel", &self.program_label),
            ("bookLabel", &self.book_label),
            ("extraLabel", &self.extra_label),
            ("emptyText", &self.empty_text),
            ("cancelLabel", &self.cancel_label),
            ("rescheduleLabel", &self.reschedule_label),
        ] {
            at.required(field, text);
        }
        at.optionals(&[
            ("newTitle", &self.new_title),
            ("description", &self.description),
            ("newDescription", &self.new_description),
            ("chatText", &self.chat_text),
            ("programText", &self.program_text),
            ("bookText", &self.book_text),
            ("creditsLabel", &self.credits_label),
            ("extraText", &self.extra_text),
            ("joinLabel", &self.join_label),
            ("windowNote", &self.window_note),
        ]);
        at.nested_if_present("image", self.image.as_ref());
        at.optional_link("programUrl", self.program_url.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    #[test]
    fn is_about_coaching_unless_it_says_counseling() {
        let mut json = json!({
            "title": "Welcome", "chatLabel": "Write", "programLabel": "Program", "bookLabel": "Book", "extraLabel": "One more",
            "sessionsTitle": "Sessions", "emptyText": "None yet", "cancelLabel": "Cancel", "rescheduleLabel": "Move",
        });
        let page: CoachingWelcome = check_record(&json.to_string()).unwrap();
        assert_eq!((page.service, page.b2b), (SessionService::Coaching, false));
        json["service"] = json!("counseling");
        json["b2b"] = json!(true);
        let page: CoachingWelcome = check_record(&json.to_string()).unwrap();
        assert_eq!((page.service, page.b2b), (SessionService::Counseling, true));
        json["service"] = json!("therapy");
        json["programUrl"] = json!("javascript:alert(1)");
        assert_eq!(
            check_record::<CoachingWelcome>(&json.to_string()).unwrap_err()[0].field,
            "service"
        );
    }
}
