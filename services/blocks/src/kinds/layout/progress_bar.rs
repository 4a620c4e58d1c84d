//! Progress of a process.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::whole::Whole;

/// A bar with a label.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["label", "value"]))]
#[graphql(complex)]
pub struct ProgressBar {
    #[serde(skip)]
    pub id: String,
    pub label: String,
    /// In percent.
    pub value: Whole,
}

impl Model for ProgressBar {
    const NAME: &'static str = "ProgressBar";

    fn inspect(&self, at: &mut Inspection) {
        at.required("label", &self.label);
        at.whole("value", self.value, 0..=100);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::error::BlockErrorCode;
    use crate::model::check_record;

    use super::*;

    #[test]
    fn a_value_is_required_and_does_not_default_to_zero() {
        assert!(check_record::<ProgressBar>(r#"{"label": "Day one", "value": 0}"#).is_ok());
        for value in [json!(null), json!(101), json!(-1)] {
            let given = json!({"label": "Day one", "value": value}).to_string();
            assert_eq!(
                check_record::<ProgressBar>(&given).unwrap_err()[0].field,
                "value",
                "{given}"
            );
        }
        let missing = check_record::<ProgressBar>(r#"{"label": "Day one"}"#).unwrap_err();
        assert_eq!(
            (missing[0].field.as_str(), missing[0].code),
            ("value", BlockErrorCode::Required)
        );
    }
}
