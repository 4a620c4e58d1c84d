//! Sign-in with an account of Apple, Google or Facebook.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::kinds::account::login_register::LoginStatus;
use crate::model::Model;
use crate::renderer::Renderer;

/// The Apple, Google and Facebook buttons without a form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[graphql(complex)]
pub struct SocialSignIn {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    /// Whether the buttons say "sign in with" or "sign up with".
    pub status: LoginStatus,
    /// Markdown under the buttons.
    pub note: Option<String>,
    /// `note`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub note_html: Option<String>,
}

impl Model for SocialSignIn {
    const NAME: &'static str = "SocialSignIn";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
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
    fn is_for_members_unless_it_says_otherwise() {
        assert_eq!(
            check_record::<SocialSignIn>("{}").unwrap().status,
            LoginStatus::SignIn
        );
        let newcomers: SocialSignIn = check_record(r#"{"status": "signUp"}"#).unwrap();
        assert_eq!(newcomers.status, LoginStatus::SignUp);
    }

    #[test]
    fn renders_its_note() {
        let mut block: SocialSignIn = check_record(r#"{"note": "You agree.", "noteHtml": "<img>"}"#).unwrap();
        block.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(block.note_html.as_deref(), Some("<p>You agree.</p>"));
    }
}
