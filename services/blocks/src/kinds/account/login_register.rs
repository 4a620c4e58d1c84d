//! Sign-up and sign-in in two tabs.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::renderer::Renderer;

/// The sign-up and sign-in form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex)]
pub struct LoginRegister {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    /// The tab that is open first.
    pub status: LoginStatus,
    /// Asks for the e-mail address twice on sign-up.
    pub email_confirmation: bool,
    /// Copying and pasting the repeated address is blocked.
    pub block_paste: bool,
    /// The form cannot be submitted.
    pub disabled: bool,
    pub texts: LoginRegisterTexts,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum LoginStatus {
    #[default]
    SignIn,
    SignUp,
}

/// Texts of this page; the labels of fields and errors come from the web app.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
pub struct LoginRegisterTexts {
    pub description: Option<String>,
    /// Button label of the sign-up tab.
    pub sign_up_submit: Option<String>,
    /// Button label of the sign-in tab.
    pub sign_in_submit: Option<String>,
    /// Markdown under the button of the sign-up tab, such as the terms.
    pub terms_note: Option<String>,
    /// `termsNote`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub terms_note_html: Option<String>,
}

impl Model for LoginRegister {
    const NAME: &'static str = "LoginRegister";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.nested("texts", &self.texts);
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.texts.terms_note_html = self.texts.terms_note.as_deref().map(with.markdown);
    }
}

impl Model for LoginRegisterTexts {
    const NAME: &'static str = "LoginRegisterTexts";

    fn inspect(&self, at: &mut Inspection) {
        at.optional("description", self.description.as_deref());
        at.optional("signUpSubmit", self.sign_up_submit.as_deref());
        at.optional("signInSubmit", self.sign_in_submit.as_deref());
        at.optional_markdown("termsNote", self.terms_note.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn opens_on_sign_in_unless_it_says_otherwise() {
        let form: LoginRegister = check_record(r#"{"title": "Welcome back"}"#).unwrap();
        assert_eq!(form.status, LoginStatus::SignIn);
        let form: LoginRegister = check_record(r#"{"title": "Welcome", "status": "signUp"}"#).unwrap();
        assert_eq!(form.status, LoginStatus::SignUp);
    }

    #[test]
    fn renders_its_note_and_nothing_in_place_of_none() {
        let json =
            r#"{"title": "Hello", "texts": {"termsNote": "You agree.", "termsNoteHtml": "<img onerror=x>"}}"#;
        let mut form: LoginRegister = check_record(json).unwrap();
        form.render(&Renderer::plain(&|markdown| format!("<p>{markdown}</p>")));
        assert_eq!(form.texts.terms_note_html.as_deref(), Some("<p>You agree.</p>"));

        let mut bare: LoginRegister =
            check_record(r#"{"title": "Hello", "texts": {"termsNoteHtml": "x"}}"#).unwrap();
        bare.render(&Renderer::plain(&|markdown| markdown.to_owned()));
        assert_eq!(bare.texts.terms_note_html, None);
    }

    #[test]
    fn names_the_status_it_does_not_know() {
        let errors = check_record::<LoginRegister>(r#"{"title": "Hello", "status": "guest"}"#).unwrap_err();
        assert_eq!(errors[0].field, "status");
    }
}
