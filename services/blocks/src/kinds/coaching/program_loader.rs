//! A loading page.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

/// Messages in sequence, then a redirect.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "messages", "redirectionUrl"]))]
#[graphql(complex)]
pub struct ProgramLoader {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1`.
    pub title: String,
    pub messages: Vec<String>,
    /// Path of the page of this site that follows.
    pub redirection_url: String,
}

impl Model for ProgramLoader {
    const NAME: &'static str = "ProgramLoader";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.some_lines("messages", &self.messages);
        at.required_page("redirectionUrl", &self.redirection_url);
    }
}
