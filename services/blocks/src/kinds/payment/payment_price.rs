//! The price of a campaign without a form.

use async_graphql::SimpleObject;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::inspection::Inspection;
use crate::locale::Locale;
use crate::model::Model;
use crate::offer::Quote;

/// The price of a campaign.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["campaignName"]))]
#[graphql(complex)]
pub struct PaymentPrice {
    #[serde(skip)]
    pub id: String,
    pub title: Option<String>,
    pub campaign_name: String,
    pub coupon_code: Option<String>,
    /// Divisor of the displayed price; 0 or absent: not divided.
    pub divider: Option<i32>,
    /// Text after the price.
    pub suffix: Option<String>,
    pub note: Option<String>,
    /// The campaign's current price; null if it is not available.
    #[serde(skip)]
    pub offer: Quote,
}

impl Model for PaymentPrice {
    const NAME: &'static str = "PaymentPrice";

    fn inspect(&self, at: &mut Inspection) {
        at.optional_heading("title", 2, self.title.as_deref());
        at.within("divider", self.divider, 0..=366);
        at.optionals(&[("suffix", &self.suffix), ("note", &self.note)]);
        at.campaign("campaignName", &self.campaign_name, self.coupon_code.as_deref());
    }

    fn quote(&mut self, locale: Locale) {
        self.offer = Quote::of(&self.campaign_name, self.coupon_code.as_deref(), locale);
    }

    fn quotes(&self) -> Vec<&Quote> {
        vec![&self.offer]
    }
}
