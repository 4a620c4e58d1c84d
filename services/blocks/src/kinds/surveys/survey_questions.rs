//! The questions of the survey.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;

/// The name of the answer of `SurveyCategorySelection` in a match.
const CATEGORIES: &str = "categories";
const FEWEST_OPTIONS: usize = 2;

/// The survey: an introduction, then one question after the other.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "startPage", "beginLabel", "nextPage", "questions"]))]
#[graphql(complex)]
pub struct SurveyQuestions {
    #[serde(skip)]
    pub id: String,
    /// The page's `h1` before the survey starts.
    pub title: String,
    pub description: Option<String>,
    /// Path of the page of this site where a survey starts.
    pub start_page: String,
    pub begin_label: String,
    /// Used if the URL names none.
    pub flow: i32,
    /// Used if the URL names none.
    #[serde(default = "default_variant")]
    pub variant: i32,
    pub product_type: Option<String>,
    pub ab_group: Option<String>,
    /// Path of the next page of this site, if the URL names none.
    pub next_page: String,
    pub questions: Vec<SurveyQuestion>,
}

/// A question. Each of the four lists limits the surveys with the question; with empty lists it is always asked.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "title", "options"]))]
pub struct SurveyQuestion {
    /// Unique in the block. Answers are stored under this id.
    pub id: String,
    pub title: String,
    pub hint: Option<String>,
    /// 1: exactly one option is chosen. Larger: at most that many.
    #[serde(default = "one")]
    pub max_chosen: i32,
    pub options: Vec<SurveyOption>,
    /// Flows of the surveys with the question.
    pub flows: Vec<i32>,
    /// Variants of the surveys with the question.
    pub variants: Vec<i32>,
    /// Categories of the surveys with the question: one of them must be chosen.
    pub categories: Vec<i32>,
    /// Test groups with the question.
    pub ab_groups: Vec<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["id", "label"]))]
pub struct SurveyOption {
    /// Unique in the question. An answer is a list of these ids.
    pub id: String,
    pub label: String,
    /// Name of a design icon.
    pub icon: Option<String>,
}

/// An answer that matches a programme.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["question", "option"]))]
pub struct AnswerMatch {
    /// The id of a question, or `categories`.
    pub question: String,
    /// The id of one of its options, or a category's number.
    pub option: String,
    /// Shown beside the programme to a visitor with this answer.
    pub reason: Option<String>,
}

fn default_variant() -> i32 {
    15
}

fn one() -> i32 {
    1
}

impl Model for SurveyQuestions {
    const NAME: &'static str = "SurveyQuestions";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.required_page("startPage", &self.start_page);
        at.required("beginLabel", &self.begin_label);
        at.within("flow", Some(self.flow), 0..=9_999);
        at.within("variant", Some(self.variant), 0..=9_999);
        at.token("productType", self.product_type.as_deref());
        at.token("abGroup", self.ab_group.as_deref());
        at.required_page("nextPage", &self.next_page);
        at.some_of_each("questions", &self.questions);
        at.unique_ids(
            "questions",
            self.questions.iter().map(|question| question.id.as_str()),
        );
    }
}

impl Model for SurveyQuestion {
    const NAME: &'static str = "SurveyQuestion";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        if self.id == CATEGORIES {
            at.error(
                "id",
                BlockErrorCode::NotAllowed,
                "is the name of the chosen categories",
            );
        }
        at.required("title", &self.title);
        at.optional("hint", self.hint.as_deref());
        let options = i32::try_from(self.options.len()).unwrap_or(i32::MAX);
        at.within("maxChosen", Some(self.max_chosen), 1..=options.max(1));
        if self.options.len() < FEWEST_OPTIONS {
            at.error(
                "options",
                BlockErrorCode::Required,
                "must have at least two options",
            );
        }
        at.each("options", &self.options);
        at.unique_ids("options", self.options.iter().map(|option| option.id.as_str()));
        for group in &self.ab_groups {
            at.token("abGroups", Some(group));
        }
    }
}

impl Model for SurveyOption {
    const NAME: &'static str = "SurveyOption";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("id", &self.id);
        at.required("label", &self.label);
        at.optional_icon("icon", self.icon.as_deref());
    }
}

impl Model for AnswerMatch {
    const NAME: &'static str = "AnswerMatch";

    fn inspect(&self, at: &mut Inspection) {
        at.slug("question", &self.question);
        if self.question != CATEGORIES {
            at.slug("option", &self.option);
        } else if self.option.parse::<u32>().is_err() {
            at.error(
                "option",
                BlockErrorCode::NotAllowed,
                "must be the number of a category",
            );
        }
        at.optional("reason", self.reason.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::model::{check_record, parse_record};

    use super::*;

    fn questions(questions: &Value) -> String {
        json!({
            "title": "A few questions", "startPage": "/survey/start", "beginLabel": "Begin", "nextPage": "/survey",
            "questions": questions,
        })
        .to_string()
    }

    fn first_error(given: &Value) -> String {
        check_record::<SurveyQuestions>(&questions(given)).unwrap_err()[0]
            .field
            .clone()
    }

    fn question(id: &str, options: &[&str]) -> Value {
        let options: Vec<Value> = options
            .iter()
            .map(|id| json!({"id": id, "label": "A label"}))
            .collect();
        json!({"id": id, "title": "A question?", "options": options})
    }

    #[test]
    fn one_option_is_chosen_unless_said() {
        let block: SurveyQuestions =
            parse_record(&questions(&json!([question("nights", &["well", "badly"])]))).unwrap();
        assert_eq!((block.flow, block.variant), (0, 15));
        assert_eq!(block.questions[0].max_chosen, 1);
    }

    #[test]
    fn a_question_with_one_option_is_refused() {
        assert_eq!(
            first_error(&json!([question("nights", &["well"])])),
            "questions[0].options"
        );
    }

    #[test]
    fn ids_are_unique_among_questions_and_among_the_options_of_one() {
        let nights = question("nights", &["well", "badly"]);
        assert_eq!(first_error(&json!([nights, nights])), "questions[1].id");
        assert_eq!(
            first_error(&json!([question("nights", &["well", "well"])])),
            "questions[0].options[1].id"
        );
    }

    #[test]
    fn more_cannot_be_chosen_than_there_are_options() {
        let mut nights = question("nights", &["well", "badly"]);
        nights["maxChosen"] = 3.into();
        assert_eq!(first_error(&json!([nights])), "questions[0].maxChosen");
    }

    #[test]
    fn icon_of_an_option_is_one_of_the_design() {
        let mut nights = question("nights", &["well", "badly"]);
        nights["options"][0]["icon"] = "moon".into();
        assert!(check_record::<SurveyQuestions>(&questions(&json!([nights]))).is_ok());
        nights["options"][0]["icon"] = "owl".into();
        assert_eq!(first_error(&json!([nights])), "questions[0].options[0].icon");
    }

    #[test]
    fn the_name_of_the_chosen_categories_is_taken() {
        assert_eq!(
            first_error(&json!([question("categories", &["a", "b"])])),
            "questions[0].id"
        );
    }

    #[test]
    fn a_match_names_an_option_or_the_number_of_a_category() {
        let error = |given: Value| {
            check_record::<AnswerMatch>(&given.to_string()).map_err(|errors| errors[0].field.clone())
        };
        assert!(error(json!({"question": "categories", "option": "101"})).is_ok());
        assert!(error(json!({"question": "nights", "option": "badly"})).is_ok());
        assert_eq!(
            error(json!({"question": "categories", "option": "sleep"})).unwrap_err(),
            "option"
        );
        assert_eq!(
            error(json!({"question": "nights", "option": "101"})).unwrap_err(),
            "option"
        );
    }
}
