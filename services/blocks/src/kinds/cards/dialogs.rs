//! Dialogs over the page: reasons to start now, and the course of a trial.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;
use crate::renderer::Renderer;

/// A button that opens a list of reasons.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["triggerText", "title", "text"]))]
#[graphql(complex)]
pub struct WhyNowDialog {
    #[serde(skip)]
    pub id: String,
    pub trigger_text: String,
    pub title: String,
    pub text: String,
    /// `text`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub text_html: String,
    pub image: Option<Image>,
}

/// A button that shows the days of the trial.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["triggerText", "title", "steps"]))]
#[graphql(complex)]
pub struct TrialDialog {
    #[serde(skip)]
    pub id: String,
    pub trigger_text: String,
    pub title: String,
    /// The three days of the trial, in order.
    pub steps: Vec<TrialStep>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "text"]))]
pub struct TrialStep {
    pub moment: TrialMoment,
    pub title: String,
    pub text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum TrialMoment {
    #[default]
    Today,
    Day5,
    Day7,
}

impl TrialMoment {
    const IN_ORDER: [Self; 3] = [Self::Today, Self::Day5, Self::Day7];
}

impl Model for WhyNowDialog {
    const NAME: &'static str = "WhyNowDialog";

    fn inspect(&self, at: &mut Inspection) {
        at.required("triggerText", &self.trigger_text);
        at.required("title", &self.title);
        at.markdown("text", &self.text);
        at.nested_if_present("image", self.image.as_ref());
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.text_html = (with.markdown)(&self.text);
    }
}

impl Model for TrialDialog {
    const NAME: &'static str = "TrialDialog";

    fn inspect(&self, at: &mut Inspection) {
        at.required("triggerText", &self.trigger_text);
        at.required("title", &self.title);
        at.some_of_each("steps", &self.steps);
        let moments = self.steps.iter().map(|step| step.moment);
        if !self.steps.is_empty() && !moments.eq(TrialMoment::IN_ORDER) {
            at.error(
                "steps",
                BlockErrorCode::NotAllowed,
                "must be today, day5 and day7, in this order",
            );
        }
    }
}

impl Model for TrialStep {
    const NAME: &'static str = "TrialStep";

    fn inspect(&self, at: &mut Inspection) {
        at.required("title", &self.title);
        at.required("text", &self.text);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    #[test]
    fn a_trial_has_exactly_its_three_moments_in_order() {
        for (moments, good) in [
            (&["today", "day5", "day7"][..], true),
            (&["today", "day7", "day5"], false),
            (&["today", "day5"], false),
        ] {
            let step = |moment: &&str| json!({"moment": moment, "title": "A day", "text": "It goes on."});
            let steps: Vec<_> = moments.iter().map(step).collect();
            let given =
                json!({"triggerText": "How it goes", "title": "Your trial", "steps": steps}).to_string();
            assert_eq!(check_record::<TrialDialog>(&given).is_ok(), good, "{moments:?}");
        }
    }
}
