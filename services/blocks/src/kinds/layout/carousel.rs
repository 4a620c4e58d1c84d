//! Pictures that advance automatically.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Slides with one picture each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["slides"]))]
#[graphql(complex)]
pub struct Carousel {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    /// Duration of a slide in milliseconds; absent: 5000.
    pub autoplay_ms: Option<i32>,
    pub slides: Vec<CarouselSlide>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["image"]))]
pub struct CarouselSlide {
    pub image: Image,
    pub title: Option<String>,
    pub text: Option<String>,
    /// Link target of the slide.
    pub url: Option<String>,
}

impl Model for Carousel {
    const NAME: &'static str = "Carousel";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.within("autoplayMs", self.autoplay_ms, 1000..=60_000);
        at.some_of_each("slides", &self.slides);
    }
}

impl Model for CarouselSlide {
    const NAME: &'static str = "CarouselSlide";

    fn inspect(&self, at: &mut Inspection) {
        at.nested("image", &self.image);
        at.optionals(&[("title", &self.title), ("text", &self.text)]);
        at.optional_link("url", self.url.as_deref());
    }
}
