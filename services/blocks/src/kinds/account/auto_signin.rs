//! Shown when automatic sign-in on a phone failed.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

/// Links a visitor who comes from an app store to the app, where sign-in works.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "appStoreUrl", "playStoreUrl"]))]
#[graphql(complex)]
pub struct AutoSignin {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub text: Option<String>,
    pub app_store_url: String,
    pub play_store_url: String,
}

impl Model for AutoSignin {
    const NAME: &'static str = "AutoSignin";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("text", self.text.as_deref());
        at.required_outside("appStoreUrl", &self.app_store_url);
        at.required_outside("playStoreUrl", &self.play_store_url);
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn both_stores_are_outside_of_the_site() {
        let json =
            r#"{"title": "Open the app", "appStoreUrl": "/ios", "playStoreUrl": "javascript:alert(1)"}"#;
        let errors = check_record::<AutoSignin>(json).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["appStoreUrl", "playStoreUrl"]);
    }
}
