//! The footer of a checkout.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;
use crate::parts::link::Link;

/// Logos of cards, and links.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[graphql(complex)]
pub struct PaymentFooter {
    #[serde(skip)]
    pub id: String,
    pub text: Option<String>,
    pub logos: Vec<Image>,
    pub links: Vec<Link>,
}

impl Model for PaymentFooter {
    const NAME: &'static str = "PaymentFooter";

    fn inspect(&self, at: &mut Inspection) {
        at.optional("text", self.text.as_deref());
        at.each("logos", &self.logos);
        at.each("links", &self.links);
    }
}
