//! The seats of a company.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::button::Button;

/// A summary for the company that bought the seats.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title"]))]
#[graphql(complex, name = "B2bDashboard")]
pub struct B2bDashboard {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    /// Shown to a visitor without seats.
    pub empty_text: Option<String>,
    /// Links to the purchase of seats.
    pub button: Option<Button>,
}

impl Model for B2bDashboard {
    const NAME: &'static str = "B2bDashboard";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.optional("emptyText", self.empty_text.as_deref());
        at.nested_if_present("button", self.button.as_ref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn names_what_its_button_lacks() {
        let json = r#"{"title": "Your seats", "button": {"url": "/business/pricing"}}"#;
        assert_eq!(
            check_record::<B2bDashboard>(json).unwrap_err()[0].field,
            "button.text"
        );
    }
}
