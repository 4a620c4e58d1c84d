//! The start of the survey.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::whole::Whole;

/// The visitor's topics: up to three categories are chosen.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "categories", "nextPage", "continueLabel"]))]
#[graphql(complex)]
pub struct SurveyCategorySelection {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1`.
    pub title: String,
    pub description: Option<String>,
    pub categories: Vec<SurveyCategory>,
    /// The flow of the survey: selects its questions.
    pub flow: i32,
    /// The variant of the survey: selects its questions.
    #[serde(default = "usual_variant")]
    pub variant: i32,
    pub product_type: Option<String>,
    /// Path of the next page of this site.
    pub next_page: String,
    pub continue_label: String,
    pub ab_group: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "label"]))]
pub struct SurveyCategory {
    /// Unique in the block.
    pub id: Whole,
    pub label: String,
    /// Name of a design icon.
    pub icon: Option<String>,
}

/// Links back to a started survey.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "buttonText"]))]
#[graphql(complex)]
pub struct SurveyContinueBox {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub text: Option<String>,
    pub button_text: String,
}

/// Starts the survey.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["text", "nextPage"]))]
#[graphql(complex)]
pub struct SurveyButton {
    #[serde(skip)]
    pub id: String,
    pub text: String,
    /// The flow of the survey: selects its questions.
    pub flow: i32,
    /// The variant of the survey: selects its questions.
    #[serde(default = "usual_variant")]
    pub variant: i32,
    pub product_type: Option<String>,
    /// Path of the next page of this site.
    pub next_page: String,
    pub ab_group: Option<String>,
}

impl SurveyCategory {
    fn number(&self) -> String {
        self.id.given().map(|id| id.to_string()).unwrap_or_default()
    }
}

fn usual_variant() -> i32 {
    15
}

impl Model for SurveyCategorySelection {
    const NAME: &'static str = "SurveyCategorySelection";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.some_of_each("categories", &self.categories);
        at.token("productType", self.product_type.as_deref());
        at.required_page("nextPage", &self.next_page);
        at.required("continueLabel", &self.continue_label);
        at.token("abGroup", self.ab_group.as_deref());
        at.within("flow", Some(self.flow), 0..=10_000);
        at.within("variant", Some(self.variant), 0..=10_000);
        let ids: Vec<String> = self.categories.iter().map(SurveyCategory::number).collect();
        at.unique_ids("categories", ids.iter().map(String::as_str));
    }
}

impl Model for SurveyCategory {
    const NAME: &'static str = "SurveyCategory";

    fn inspect(&self, at: &mut Inspection) {
        at.whole("id", self.id, 0..=1_000_000);
        at.required("label", &self.label);
        at.optional_icon("icon", self.icon.as_deref());
    }
}

impl Model for SurveyContinueBox {
    const NAME: &'static str = "SurveyContinueBox";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("text", self.text.as_deref());
        at.required("buttonText", &self.button_text);
    }
}

impl Model for SurveyButton {
    const NAME: &'static str = "SurveyButton";

    fn inspect(&self, at: &mut Inspection) {
        at.required("text", &self.text);
        at.token("productType", self.product_type.as_deref());
        at.required_page("nextPage", &self.next_page);
        at.token("abGroup", self.ab_group.as_deref());
        at.within("flow", Some(self.flow), 0..=10_000);
        at.within("variant", Some(self.variant), 0..=10_000);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::{check_record, parse_record};

    use super::*;

    #[test]
    fn flow_and_variant_are_the_usual_ones_unless_given() {
        let button: SurveyButton = parse_record(r#"{"text": "Begin", "nextPage": "/survey"}"#).unwrap();
        assert_eq!((button.flow, button.variant), (0, 15));
    }

    #[test]
    fn two_categories_with_one_id_are_refused() {
        let category = json!({"id": 7, "label": "Sleep"});
        let given = json!({"title": "Why?", "categories": [category, category], "nextPage": "/survey", "continueLabel": "Go on"});
        let errors = check_record::<SurveyCategorySelection>(&given.to_string()).unwrap_err();
        assert_eq!(errors[0].field, "categories[1].id");
    }
}
