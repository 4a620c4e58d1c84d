//! Two pictures with a parallax effect.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// A text between two pictures.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "leftImage", "rightImage"]))]
#[graphql(complex)]
pub struct ScrollParallax {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub text: Option<String>,
    pub left_image: Image,
    pub right_image: Image,
    /// Distance that the pictures move, in percent of their height.
    pub percentage: Option<i32>,
}

impl Model for ScrollParallax {
    const NAME: &'static str = "ScrollParallax";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("text", self.text.as_deref());
        at.nested("leftImage", &self.left_image);
        at.nested("rightImage", &self.right_image);
        at.within("percentage", self.percentage, -100..=100);
    }
}
