//! Reviews from the app stores.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::whole::Whole;

const OWN_STAR: &str = "star";

/// Reviews with stars.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["comments"]))]
#[graphql(complex)]
pub struct CommentBox {
    #[serde(skip)]
    pub id: String,
    pub heading: Option<String>,
    pub comments: Vec<Comment>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["starCount", "name", "comment"]))]
pub struct Comment {
    pub star_count: Whole,
    pub star_color: Option<String>,
    pub title: Option<String>,
    pub name: String,
    pub place: Option<String>,
    pub comment: String,
}

impl Model for CommentBox {
    const NAME: &'static str = "CommentBox";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("heading", 2, self.heading.as_deref());
        at.some_of_each("comments", &self.comments);
    }
}

impl Model for Comment {
    const NAME: &'static str = "Comment";

    fn inspect(&self, at: &mut Inspection) {
        at.whole("starCount", self.star_count, 0..=5);
        // The design's own colour is for drawings, which need less contrast than text.
        let chosen = self.star_color.as_deref().filter(|colour| *colour != OWN_STAR);
        if chosen.is_some() {
            at.text_colour("starColor", chosen);
        }
        if let Some(title) = &self.title {
            at.item_heading("title", title);
        }
        at.required("name", &self.name);
        at.optional("place", self.place.as_deref());
        at.required("comment", &self.comment);
    }
}
