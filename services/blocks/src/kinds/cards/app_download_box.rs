//! A link to the app, with consents.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::kinds::account::consent::rendered;
use crate::model::Model;
use crate::parts::button::Button;
use crate::renderer::Renderer;

/// A countdown, up to two consents and a button.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "termsLabel", "consentLabel", "button"]))]
#[graphql(complex)]
pub struct AppDownloadBox {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub text: Option<String>,
    /// Absent: 600.
    pub countdown_secs: Option<i32>,
    /// Markdown beside a checkbox; with `none` there is no checkbox.
    pub terms_label: String,
    /// `termsLabel`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub terms_label_html: String,
    /// Markdown beside a checkbox; with `none` there is no checkbox.
    pub consent_label: String,
    /// `consentLabel`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub consent_label_html: String,
    pub button: Button,
}

impl Model for AppDownloadBox {
    const NAME: &'static str = "AppDownloadBox";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("text", self.text.as_deref());
        at.within("countdownSecs", self.countdown_secs, 1..=86_400);
        at.markdown("termsLabel", &self.terms_label);
        at.markdown("consentLabel", &self.consent_label);
        at.nested("button", &self.button);
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.terms_label_html = rendered(Some(&self.terms_label), with).unwrap_or_default();
        self.consent_label_html = rendered(Some(&self.consent_label), with).unwrap_or_default();
    }
}
