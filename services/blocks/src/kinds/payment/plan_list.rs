//! Plans for sale. Texts are content; prices come from the campaigns of the plans.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::locale::Locale;
use crate::model::Model;
use crate::offer::Quote;
use crate::parts::button::Button;

/// Plans side by side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["plans"]))]
#[graphql(complex)]
pub struct PlanList {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub description: Option<String>,
    pub plans: Vec<PlanItem>,
    /// A line below all plans.
    pub note: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["title", "button", "price"]))]
pub struct PlanItem {
    pub title: String,
    pub description: Option<String>,
    /// Target of the button if this plan is chosen; absent: the button's own URL.
    pub url: Option<String>,
    pub background: Option<String>,
    /// Label on the edge of the card, such as "Best value".
    pub badge: Option<String>,
    pub features: Vec<String>,
    pub button: Button,
    pub price: PlanPrice,
}

#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["campaignName"]))]
pub struct PlanPrice {
    pub campaign_name: String,
    pub coupon_code: Option<String>,
    /// Divisor of the displayed price, for a price per month; 0 or absent: not divided.
    pub divider: Option<i32>,
    /// Text after the list price, and after the price to pay if that has no suffix of its own.
    pub main_price_suffix: Option<String>,
    /// Text after the price to pay.
    pub discounted_price_suffix: Option<String>,
    pub title: Option<String>,
    /// The campaign's current price; null if it is not available.
    #[serde(skip)]
    pub offer: Quote,
}

impl PlanPrice {
    pub(crate) fn quote(&mut self, locale: Locale) {
        self.offer = Quote::of(&self.campaign_name, self.coupon_code.as_deref(), locale);
    }
}

impl Model for PlanList {
    const NAME: &'static str = "PlanList";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.optional("description", self.description.as_deref());
        at.some_of_each("plans", &self.plans);
        at.optional("note", self.note.as_deref());
    }

    fn quote(&mut self, locale: Locale) {
        for plan in &mut self.plans {
            plan.price.quote(locale);
        }
    }

    fn quotes(&self) -> Vec<&Quote> {
        self.plans.iter().map(|plan| &plan.price.offer).collect()
    }
}

impl Model for PlanItem {
    const NAME: &'static str = "PlanItem";

    fn inspect(&self, at: &mut Inspection) {
        at.item_heading("title", &self.title);
        at.optional("description", self.description.as_deref());
        at.optional_link("url", self.url.as_deref());
        at.colours(
            ("", None, "ink"),
            ("background", self.background.as_deref(), "card"),
        );
        at.optional("badge", self.badge.as_deref());
        at.lines("features", &self.features);
        at.nested("button", &self.button);
        at.nested("price", &self.price);
    }
}

impl Model for PlanPrice {
    const NAME: &'static str = "PlanPrice";

    fn inspect(&self, at: &mut Inspection) {
        at.campaign("campaignName", &self.campaign_name, self.coupon_code.as_deref());
        at.within("divider", self.divider, 0..=366);
        at.optional("mainPriceSuffix", self.main_price_suffix.as_deref());
        at.optional("discountedPriceSuffix", self.discounted_price_suffix.as_deref());
        at.optional("title", self.title.as_deref());
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::model::check_record;

    use super::*;

    fn plan() -> serde_json::Value {
        json!({
            "title": "Annual", "description": "A year of calm", "url": "/payment/annual", "background": "mist",
            "badge": "Best value", "features": ["All meditations"],
            "button": {"text": "Choose annual", "url": "/payment/annual"},
            "price": {
                "campaignName": "web-annual", "couponCode": "WELCOME20", "divider": 12,
                "mainPriceSuffix": "a month", "discountedPriceSuffix": "a month", "title": "Billed once a year",
            },
        })
    }

    #[test]
    fn reads_a_plan_with_its_six_price_fields() {
        let list: PlanList = check_record(&json!({"plans": [plan()]}).to_string()).unwrap();
        let read = &list.plans[0];
        assert_eq!(serde_json::to_value(&read.price).unwrap(), plan()["price"]);
        assert_eq!(plan()["price"].as_object().unwrap().len(), 6);
        assert_eq!(read.url.as_deref(), Some("/payment/annual"));
        assert_eq!(read.button.text, "Choose annual");
    }

    #[test]
    fn names_what_a_plan_lacks() {
        let mut second = plan();
        second["price"]["campaignName"] = json!("");
        second["button"]["url"] = json!(null);
        second["button"].as_object_mut().unwrap().remove("url");
        let errors = check_record::<PlanList>(&json!({"plans": [plan(), second]}).to_string()).unwrap_err();
        let fields: Vec<&str> = errors.iter().map(|error| error.field.as_str()).collect();
        assert_eq!(fields, ["plans[1].button.url", "plans[1].price.campaignName"]);
    }

    #[test]
    fn a_list_without_plans_is_refused() {
        assert_eq!(check_record::<PlanList>("{}").unwrap_err()[0].field, "plans");
    }

    #[test]
    fn a_divider_may_be_zero_and_not_negative() {
        let mut zero = plan();
        zero["price"]["divider"] = json!(0);
        assert!(check_record::<PlanList>(&json!({"plans": [zero]}).to_string()).is_ok());
        let mut negative = plan();
        negative["price"]["divider"] = json!(-1);
        let errors = check_record::<PlanList>(&json!({"plans": [negative]}).to_string()).unwrap_err();
        assert_eq!(errors[0].field, "plans[0].price.divider");
    }
}
