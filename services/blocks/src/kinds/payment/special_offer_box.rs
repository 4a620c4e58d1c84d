//! An offer beside other blocks.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;

/// A box with an offer and a button.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "button"]))]
#[graphql(complex)]
pub struct SpecialOfferBox {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub text: Option<String>,
    /// Label on the edge of the box.
    pub badge: Option<String>,
    pub button: Button,
}

impl Model for SpecialOfferBox {
    const NAME: &'static str = "SpecialOfferBox";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optionals(&[("text", &self.text), ("badge", &self.badge)]);
        at.nested("button", &self.button);
    }
}
