//! A hero with trainers.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::Image;

/// The opening of a page with portraits of trainers.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "trainers"]))]
#[graphql(complex)]
pub struct TrainerHero {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1`.
    pub title: String,
    pub description: Option<String>,
    pub buttons: Vec<Button>,
    pub trainers: Vec<Trainer>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["name", "image"]))]
pub struct Trainer {
    pub name: String,
    /// Profession of the trainer.
    pub title: Option<String>,
    pub image: Image,
}

impl Model for TrainerHero {
    const NAME: &'static str = "TrainerHero";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.each("buttons", &self.buttons);
        at.some_of_each("trainers", &self.trainers);
    }
}

impl Model for Trainer {
    const NAME: &'static str = "Trainer";

    fn inspect(&self, at: &mut Inspection) {
        at.required("name", &self.name);
        at.optional("title", self.title.as_deref());
        at.nested("image", &self.image);
    }
}
