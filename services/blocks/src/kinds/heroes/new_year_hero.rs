//! The hero of the new-year campaign.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::kinds::payment::price_badge::PriceBadgePart;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::Image;

/// The opening of the new-year page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "button"]))]
#[graphql(complex)]
pub struct NewYearHero {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1`.
    pub title: String,
    pub description: Option<String>,
    pub image: Option<Image>,
    pub button: Button,
    pub price_badge: Option<PriceBadgePart>,
    /// A line under the button.
    pub note: Option<String>,
}

impl Model for NewYearHero {
    const NAME: &'static str = "NewYearHero";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.nested_if_present("image", self.image.as_ref());
        at.nested("button", &self.button);
        at.nested_if_present("priceBadge", self.price_badge.as_ref());
        at.optional("note", self.note.as_deref());
    }
}
