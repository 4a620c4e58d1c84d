//! A text link, used in menus and footers.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text", "url"]))]
pub struct Link {
    pub text: String,
    pub url: String,
    /// Opens in a new tab.
    pub external: bool,
    /// Search engines do not follow it.
    pub no_follow: bool,
}

impl Model for Link {
    const NAME: &'static str = "Link";

    fn inspect(&self, at: &mut Inspection) {
        at.required("text", &self.text);
        at.required_link("url", &self.url);
    }
}
