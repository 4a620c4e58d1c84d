//! An additional session.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::kinds::coaching::coaching_welcome::SessionService;
use crate::model::Model;

/// Buys a session with the saved card. The price comes from the payment service.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "buttonText", "successText"]))]
#[graphql(complex)]
pub struct ExtraSession {
    #[serde(skip)]
    pub id: String,
    pub service: SessionService,
    pub title: String,
    pub text: Option<String>,
    pub button_text: String,
    pub success_text: String,
    pub fail_text: Option<String>,
    /// Shown if nothing is sold to this member.
    pub no_price_text: Option<String>,
}

impl Model for ExtraSession {
    const NAME: &'static str = "ExtraSession";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("text", self.text.as_deref());
        at.required("buttonText", &self.button_text);
        at.required("successText", &self.success_text);
        at.optional("failText", self.fail_text.as_deref());
        at.optional("noPriceText", self.no_price_text.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use crate::model::check_record;

    use super::*;

    #[test]
    fn names_the_service_it_does_not_know() {
        let json = r#"{"title": "One more", "buttonText": "Buy", "successText": "Done", "service": "yoga"}"#;
        assert_eq!(
            check_record::<ExtraSession>(json).unwrap_err()[0].field,
            "service"
        );
    }
}
