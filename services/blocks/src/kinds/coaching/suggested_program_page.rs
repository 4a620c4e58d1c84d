//! The programme that the survey suggests.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::kinds::surveys::survey_questions::AnswerMatch;
use crate::model::Model;
use crate::parts::button::Button;
use crate::parts::image::Image;
use crate::parts::whole::Whole;

/// A programme and its meditations. The block's own programme is shown if no answer matches another one.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "meditations"]))]
#[graphql(complex)]
pub struct SuggestedProgramPage {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1`.
    pub title: String,
    pub description: Option<String>,
    pub image: Option<Image>,
    pub button: Option<Button>,
    pub meditations: Vec<SuggestionMeditation>,
    /// The programme with the most matching answers is shown; of equals, the first.
    pub programs: Vec<SuggestedProgram>,
}

/// A programme that a survey can suggest.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "title", "meditations", "matches"]))]
pub struct SuggestedProgram {
    /// Unique in the block. `DynamicProgramContent` refers to it.
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    pub image: Option<Image>,
    pub button: Option<Button>,
    pub meditations: Vec<SuggestionMeditation>,
    /// The answers that match the programme.
    pub matches: Vec<AnswerMatch>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "meditationUrl", "meditationDuration"]))]
pub struct SuggestionMeditation {
    pub title: String,
    pub meditation_url: String,
    /// In minutes.
    pub meditation_duration: Whole,
    /// Available to subscribers only.
    pub is_premium: bool,
}

impl Model for SuggestedProgramPage {
    const NAME: &'static str = "SuggestedProgramPage";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.nested_if_present("image", self.image.as_ref());
        at.nested_if_present("button", self.button.as_ref());
        at.some_of_each("meditations", &self.meditations);
        at.each("programs", &self.programs);
        at.unique_ids(
            "programs",
            self.programs.iter().map(|program| program.id.as_str()),
        );
    }
}

impl Model for SuggestedProgram {
    const NAME: &'static str = "SuggestedProgram";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("title", &self.title);
        at.optional("description", self.description.as_deref());
        at.nested_if_present("image", self.image.as_ref());
        at.nested_if_present("button", self.button.as_ref());
        at.some_of_each("meditations", &self.meditations);
        at.some_of_each("matches", &self.matches);
    }
}

impl Model for SuggestionMeditation {
    const NAME: &'static str = "SuggestionMeditation";

    fn inspect(&self, at: &mut Inspection) {
        at.required("title", &self.title);
        at.required_link("meditationUrl", &self.meditation_url);
        at.whole("meditationDuration", self.meditation_duration, 1..=1440);
    }
}
