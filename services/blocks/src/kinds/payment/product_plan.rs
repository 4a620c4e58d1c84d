//! A single plan.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::kinds::payment::plan_list::PlanItem;
use crate::locale::Locale;
use crate::model::Model;
use crate::offer::Quote;

/// A plan with its price.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["plan"]))]
#[graphql(complex)]
pub struct ProductPlan {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub plan: PlanItem,
}

impl Model for ProductPlan {
    const NAME: &'static str = "ProductPlan";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.nested("plan", &self.plan);
    }

    fn quote(&mut self, locale: Locale) {
        self.plan.price.quote(locale);
    }

    fn quotes(&self) -> Vec<&Quote> {
        vec![&self.plan.price.offer]
    }
}
