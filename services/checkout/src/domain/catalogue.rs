//! All prices on sale, held in memory: a quote costs a few hash look-ups.

use std::collections::HashMap;

use kit::money::Currency;

use super::campaign::Terms;
use super::ids::{CampaignId, PriceId};

/// Which currency a visitor is quoted in, by the language of the page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrencyTable {
    pub default: Currency,
    pub by_language: HashMap<String, Currency>,
}

impl CurrencyTable {
    /// Takes `pt` as well as `pt-BR`.
    pub fn currency(&self, language: &str) -> Currency {
        let primary = language.split(['-', '_']).next().unwrap_or_default();
        self.by_language.get(primary).copied().unwrap_or(self.default)
    }

    /// Every currency a campaign must have a price in.
    pub fn required(&self) -> Vec<Currency> {
        let mut all: Vec<Currency> = self.by_language.values().copied().chain([self.default]).collect();
        all.sort_by_key(|currency| currency.code());
        all.dedup_by_key(|currency| currency.code());
        all
    }
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    pub price_id: PriceId,
    pub campaign_id: CampaignId,
    pub campaign: String,
    pub terms: Terms,
    /// `None` until the price is known to exist at Stripe.
    pub stripe_price_id: Option<String>,
}

/// What a visitor asks the price of.
#[derive(Debug, Clone, Copy)]
pub struct Enquiry<'a> {
    pub campaign: &'a str,
    pub coupon_code: &'a str,
    pub language: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unpriced {
    UnknownCampaign,
    UnknownCoupon,
}

#[derive(Debug)]
pub struct Catalogue {
    currencies: CurrencyTable,
    /// Campaign → coupon → currency code.
    campaigns: HashMap<String, HashMap<String, HashMap<&'static str, Price>>>,
}

impl Catalogue {
    pub fn new(currencies: CurrencyTable, prices: impl IntoIterator<Item = Price>) -> Self {
        let mut campaigns: HashMap<String, HashMap<String, HashMap<&'static str, Price>>> = HashMap::new();
        for price in prices {
            campaigns
                .entry(price.campaign.clone())
                .or_default()
                .entry(price.terms.coupon_code.clone())
                .or_default()
                .insert(price.terms.currency().code(), price);
        }
        Self {
            currencies,
            campaigns,
        }
    }

    pub fn price(&self, enquiry: Enquiry<'_>) -> Result<&Price, Unpriced> {
        let coupons = self
            .campaigns
            .get(enquiry.campaign)
            .ok_or(Unpriced::UnknownCampaign)?;
        let coupon = enquiry.coupon_code.trim();
        let by_currency = match coupons.get(coupon) {
            Some(found) => found,
            // Coupons are written by hand.
            None => coupons
                .get(&coupon.to_ascii_uppercase())
                .ok_or(Unpriced::UnknownCoupon)?,
        };
        by_currency
            .get(self.currencies.currency(enquiry.language).code())
            .ok_or(Unpriced::UnknownCampaign)
    }

    pub fn has_unsynced(&self) -> bool {
        let prices = self
            .campaigns
            .values()
            .flat_map(HashMap::values)
            .flat_map(HashMap::values);
        prices.into_iter().any(|price| price.stripe_price_id.is_none())
    }

    pub fn currencies(&self) -> &CurrencyTable {
        &self.currencies
    }
}

#[cfg(test)]
mod tests {
    use kit::money::Money;

    use super::*;
    use crate::domain::fixtures::noon;

    fn price(coupon_code: &str, currency: &str) -> Price {
        let amount = Money::new(1000, Currency::parse(currency).unwrap());
        Price {
            price_id: PriceId::new(noon()),
            campaign_id: CampaignId::new(noon()),
            campaign: "web-monthly".into(),
            terms: Terms {
                coupon_code: coupon_code.into(),
                product: "premium".into(),
                period_months: 1,
                trial_days: 0,
                amount,
                list: amount,
                lookup_key: format!("{coupon_code}.{currency}"),
            },
            stripe_price_id: None,
        }
    }

    fn catalogue() -> Catalogue {
        let usd = Currency::parse("USD").unwrap();
        let try_ = Currency::parse("TRY").unwrap();
        let table = CurrencyTable {
            default: usd,
            by_language: HashMap::from([("en".into(), usd), ("tr".into(), try_)]),
        };
        Catalogue::new(
            table,
            [price("", "USD"), price("", "TRY"), price("WELCOME20", "TRY")],
        )
    }

    fn check(campaign: &str, coupon_code: &str, language: &str, expected: Result<&str, Unpriced>) {
        let catalogue = catalogue();
        let found = catalogue.price(Enquiry {
            campaign,
            coupon_code,
            language,
        });
        assert_eq!(found.map(|price| price.terms.lookup_key.as_str()), expected);
    }

    #[test]
    fn language_decides_the_currency() {
        check("web-monthly", "", "tr", Ok(".TRY"));
        check("web-monthly", "", "tr-TR", Ok(".TRY"));
        check("web-monthly", "", "en", Ok(".USD"));
        check("web-monthly", "", "xx", Ok(".USD"));
    }

    #[test]
    fn coupon_is_found_however_it_is_written() {
        check("web-monthly", " welcome20 ", "tr", Ok("WELCOME20.TRY"));
    }

    #[test]
    fn unknown_campaign_and_coupon_are_told_apart() {
        check("nothing", "", "tr", Err(Unpriced::UnknownCampaign));
        check("web-monthly", "FREE", "tr", Err(Unpriced::UnknownCoupon));
    }
}
