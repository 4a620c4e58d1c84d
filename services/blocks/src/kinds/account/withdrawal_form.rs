//! Withdrawal from a contract: signed in or not, in two steps, with a receipt.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;

/// The form to withdraw from a contract. Its questions and confirmations are the same on every page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex)]
pub struct WithdrawalForm {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
}

impl Model for WithdrawalForm {
    const NAME: &'static str = "WithdrawalForm";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("description", self.description.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn has_a_heading_and_may_say_more() {
        let errors = check_record::<WithdrawalForm>(r#"{"description": "Two steps."}"#).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["title"]);
        assert!(check_record::<WithdrawalForm>(r#"{"title": "Withdraw"}"#).is_ok());
    }
}
