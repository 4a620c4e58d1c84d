//! A call to action.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;

/// A band across the page with a button.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "button"]))]
#[graphql(complex)]
pub struct CallToActionBanner {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub text: Option<String>,
    pub button: Button,
    /// The colour of the band.
    pub background: Option<String>,
    pub second_button: Option<Button>,
}

impl Model for CallToActionBanner {
    const NAME: &'static str = "CallToActionBanner";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("text", self.text.as_deref());
        at.nested("button", &self.button);
        at.text_ground("background", self.background.as_deref());
        at.nested_if_present("secondButton", self.second_button.as_ref());
    }
}
