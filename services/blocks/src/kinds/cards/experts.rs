//! Coaches and therapists.

use async_graphql::{ComplexObject, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;

/// Coaches and therapists, one card each.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["experts"]))]
#[graphql(complex)]
pub struct Experts {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub experts: Vec<Expert>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["name"]))]
#[graphql(complex)]
pub struct Expert {
    pub name: String,
    /// Profession, such as "Clinical psychologist".
    pub title: Option<String>,
    pub education_and_training: Option<String>,
    pub about_me: Option<String>,
    /// One per line.
    pub focus_areas: Option<String>,
    pub picture: Option<Image>,
}

impl Expert {
    fn areas(&self) -> impl Iterator<Item = &str> {
        let lines = self.focus_areas.as_deref().unwrap_or_default().lines();
        lines.map(str::trim).filter(|line| !line.is_empty())
    }
}

#[ComplexObject]
impl Expert {
    /// The focus areas as a list.
    async fn focus_area_list(&self) -> Vec<&str> {
        self.areas().collect()
    }
}

impl Model for Experts {
    const NAME: &'static str = "Experts";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.optional("description", self.description.as_deref());
        at.some_of_each("experts", &self.experts);
    }
}

impl Model for Expert {
    const NAME: &'static str = "Expert";

    fn inspect(&self, at: &mut Inspection) {
        at.item_heading("name", &self.name);
        at.optionals(&[
            ("title", &self.title),
            ("educationAndTraining", &self.education_and_training),
            ("aboutMe", &self.about_me),
            ("focusAreas", &self.focus_areas),
        ]);
        at.nested_if_present("picture", self.picture.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn focus_areas_are_the_lines_that_are_not_empty() {
        let expert = Expert {
            focus_areas: Some("Sleep\n\n  Work stress \n".to_owned()),
            ..Expert::default()
        };
        assert_eq!(expert.areas().collect::<Vec<_>>(), ["Sleep", "Work stress"]);
        assert_eq!(Expert::default().areas().count(), 0);
    }
}
