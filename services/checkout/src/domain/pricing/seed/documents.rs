//! The seed files as written, before validation.

use std::collections::BTreeMap;

use serde::Deserialize;

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
pub enum Document {
    Currencies(Currencies),
    Coupons(Coupons),
    Products(Products),
    Campaign(Campaign),
    BinOffer(BinOffer),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Currencies {
    pub default: String,
    pub by_language: BTreeMap<String, String>,
    #[serde(default)]
    pub by_country: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coupons {
    pub coupons: Vec<Coupon>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Coupon {
    pub code: String,
    pub percent_off: u8,
    pub redemptions_max: Option<i32>,
    pub member_max: Option<i32>,
    pub valid_from: Option<String>,
    pub valid_until: Option<String>,
    #[serde(default)]
    pub countries: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Products {
    pub products: Vec<Product>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Product {
    pub code: String,
    /// `premium`, `coaching`, `therapy`; nothing for what opens nothing for its buyer.
    pub opens: Vec<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Campaign {
    pub code: String,
    pub product: String,
    #[serde(default)]
    pub sells: Sells,
    #[serde(default)]
    pub period_months: i32,
    #[serde(default)]
    pub trial_days: i32,
    pub place: Option<Place>,
    /// `false`: a way to begin only. Members are offered no change to it.
    pub plan: Option<bool>,
    #[serde(default)]
    pub coupons: Vec<String>,
    pub prices: BTreeMap<String, Price>,
    /// By country.
    #[serde(default)]
    pub country_prices: BTreeMap<String, CountryPrice>,
    /// By currency.
    #[serde(default)]
    pub trial_prices: BTreeMap<String, String>,
}

#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Sells {
    #[default]
    Subscription,
    OneTime,
    Gift,
    Addition,
    Lifetime,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Place {
    pub language: String,
    pub country: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Price {
    pub amount: String,
    pub list: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CountryPrice {
    pub currency: String,
    pub amount: String,
    pub list: Option<String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct BinOffer {
    pub code: String,
    pub campaign: String,
    /// Where the bank issues these cards.
    pub countries: Vec<String>,
    /// `440776`, or `51015200-51015249`.
    pub bins: Vec<String>,
}
