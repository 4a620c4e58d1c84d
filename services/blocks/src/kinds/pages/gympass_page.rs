//! Onboarding of members sponsored by a partner.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;
use crate::parts::image::Image;
use crate::renderer::Renderer;

/// A choice of plans, then a registration form.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "plans", "registerTitle"]))]
#[graphql(complex)]
pub struct GympassPage {
    #[serde(skip)]
    pub id: String,
    pub title: String,
    pub description: Option<String>,
    /// One plan of each kind, mindfulness first. The partner's grant decides which of them a member sees.
    pub plans: Vec<BenefitPlan>,
    pub register_title: String,
    pub register_text: Option<String>,
    /// Markdown beside the checkbox of the terms.
    pub terms_text: Option<String>,
    /// `termsText`, rendered and sanitised at publication.
    #[schemars(extend("readOnly" = true))]
    pub terms_text_html: Option<String>,
    pub submit_label: Option<String>,
    /// The partner's own name.
    pub app_name: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "buttonText"]))]
pub struct BenefitPlan {
    pub kind: BenefitKind,
    pub title: String,
    pub text: Option<String>,
    pub image: Option<Image>,
    pub button_text: String,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "camelCase")]
#[graphql(rename_items = "camelCase")]
pub enum BenefitKind {
    #[default]
    Mindfulness,
    Therapy,
    Nutritionist,
}

impl BenefitKind {
    const IN_ORDER: [Self; 3] = [Self::Mindfulness, Self::Therapy, Self::Nutritionist];
}

impl Model for GympassPage {
    const NAME: &'static str = "GympassPage";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 1, &self.title);
        at.optional("description", self.description.as_deref());
        at.some_of_each("plans", &self.plans);
        let kinds = self.plans.iter().map(|plan| plan.kind);
        if !self.plans.is_empty() && !kinds.eq(BenefitKind::IN_ORDER) {
            at.error(
                "plans",
                BlockErrorCode::NotAllowed,
                "must be mindfulness, therapy and nutritionist, in this order",
            );
        }
        at.heading("registerTitle", 2, &self.register_title);
        at.optional("registerText", self.register_text.as_deref());
        at.optional_markdown("termsText", self.terms_text.as_deref());
        at.optional("submitLabel", self.submit_label.as_deref());
        at.optional("appName", self.app_name.as_deref());
    }

    fn render(&mut self, with: &Renderer<'_>) {
        self.terms_text_html = self.terms_text.as_deref().map(with.markdown);
    }
}

impl Model for BenefitPlan {
    const NAME: &'static str = "BenefitPlan";

    fn inspect(&self, at: &mut Inspection) {
        at.heading("title", 2, &self.title);
        at.optional("text", self.text.as_deref());
        at.nested_if_present("image", self.image.as_ref());
        at.required("buttonText", &self.button_text);
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    fn page(kinds: &[&str]) -> Result<GympassPage, Vec<crate::BlockError>> {
        let plans: Vec<_> = kinds
            .iter()
            .map(|kind| json!({"kind": kind, "title": "Plan", "buttonText": "Choose"}))
            .collect();
        check_record(&json!({"title": "Welcome", "registerTitle": "Register", "plans": plans}).to_string())
    }

    #[test]
    fn has_exactly_the_three_plans_in_their_order() {
        assert!(page(&["mindfulness", "therapy", "nutritionist"]).is_ok());
        for kinds in [
            &["mindfulness", "therapy"][..],
            &["therapy", "mindfulness", "nutritionist"],
            &["mindfulness", "therapy", "nutritionist", "therapy"],
        ] {
            let errors = page(kinds).unwrap_err();
            assert_eq!(
                (errors.len(), errors[0].field.as_str()),
                (1, "plans"),
                "{kinds:?}"
            );
        }
    }

    #[test]
    fn names_the_kind_it_does_not_know() {
        assert_eq!(
            page(&["mindfulness", "yoga"]).unwrap_err()[0].field,
            "plans[1].kind"
        );
    }
}
