//! Buttons between other blocks.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;

/// Buttons beside each other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["buttons"]))]
#[graphql(complex)]
pub struct ButtonRow {
    #[serde(skip)]
    pub id: String,
    pub buttons: Vec<Button>,
    pub align: RowAlign,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum RowAlign {
    #[default]
    Start,
    Center,
}

impl Model for ButtonRow {
    const NAME: &'static str = "ButtonRow";

    fn inspect(&self, at: &mut Inspection) {
        at.some_of_each("buttons", &self.buttons);
    }
}
