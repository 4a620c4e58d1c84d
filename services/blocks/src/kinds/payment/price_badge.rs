//! A short price text, on its own and inside heroes.

use async_graphql::{Enum, SimpleObject};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use crate::error::BlockErrorCode;
use crate::inspection::Inspection;
use crate::model::Model;

/// A badge between other blocks.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
#[schemars(extend("required" = ["badge"]))]
#[graphql(complex)]
pub struct PriceBadge {
    #[serde(skip)]
    pub id: String,
    pub badge: PriceBadgePart,
}

/// A price or a saving as a text. The text is content and is not compared with a campaign here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize, JsonSchema, SimpleObject)]
#[serde(default, rename_all = "camelCase")]
pub struct PriceBadgePart {
    pub period: BadgePeriod,
    pub discount_text: Option<String>,
    pub discount_amount: Option<String>,
    pub actual_price: Option<String>,
    pub actual_price_color: Option<String>,
    /// Name of a design icon, or `pacman`, or the partner `turkcell`.
    pub icon_name: Option<String>,
    pub icon_color: Option<String>,
    pub background_color: Option<String>,
    /// Two or more colours, comma separated.
    pub gradient: Option<String>,
    pub url: Option<String>,
    /// Replaces price and period.
    pub price_text_override: Option<String>,
}

/// The period of the price.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize, JsonSchema, Enum)]
#[serde(rename_all = "lowercase")]
pub enum BadgePeriod {
    #[serde(rename = "3months")]
    ThreeMonths,
    #[default]
    None,
    Other,
}

impl PriceBadgePart {
    fn says_something(&self) -> bool {
        let texts = [
            &self.discount_text,
            &self.discount_amount,
            &self.actual_price,
            &self.price_text_override,
        ];
        texts.into_iter().any(Option::is_some)
    }
}

impl Model for PriceBadge {
    const NAME: &'static str = "PriceBadge";

    fn inspect(&self, at: &mut Inspection) {
        at.nested("badge", &self.badge);
    }
}

impl Model for PriceBadgePart {
    const NAME: &'static str = "PriceBadgePart";

    fn inspect(&self, at: &mut Inspection) {
        if !self.says_something() {
            at.error(
                "",
                BlockErrorCode::Required,
                "needs a price, a discount or a text",
            );
        }
        at.optionals(&[
            ("discountText", &self.discount_text),
            ("discountAmount", &self.discount_amount),
            ("actualPrice", &self.actual_price),
        ]);
        at.badge_icon("iconName", self.icon_name.as_deref());
        at.colour("iconColor", self.icon_color.as_deref());
        at.ground_gradient("gradient", self.gradient.as_deref());
        at.optional_link("url", self.url.as_deref());
        at.optional("priceTextOverride", self.price_text_override.as_deref());
        at.colours(
            ("actualPriceColor", self.actual_price_color.as_deref(), "ink"),
            ("backgroundColor", self.background_color.as_deref(), "cream"),
        );
    }
}
