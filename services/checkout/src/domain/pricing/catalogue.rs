//! All prices on sale, held in memory: a quote costs a few hash look-ups.

use std::collections::{HashMap, HashSet};
use std::sync::Arc;

use chrono::{DateTime, Utc};

use super::bin::{BinOffer, IssuedCard, admits, is_for_cards};
use super::campaign::{Place, PriceKind, Terms};
use super::coupon::{self, Coupon};
use super::seed::Seed;
use crate::domain::ids::{CampaignId, PriceId};
use crate::domain::pricing::currency_table::CurrencyTable;

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Price {
    pub price_id: PriceId,
    pub campaign_id: CampaignId,
    pub campaign: String,
    pub terms: Terms,
    /// `None` until the price is known to exist at the provider of our own page.
    pub stripe_price_id: Option<String>,
    /// `None` where it is not sold by approval, or not yet.
    pub paypal_plan_id: Option<String>,
}

/// What a visitor asks the price of.
#[derive(Debug, Clone, Copy)]
pub struct PriceQuery<'a> {
    pub campaign: &'a str,
    pub coupon_code: &'a str,
    pub language: &'a str,
    /// ISO 3166 alpha-2.
    pub country: &'a str,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PricingError {
    UnknownCampaign,
    Coupon(coupon::Refusal),
}

/// The price of a campaign for a query.
#[derive(Debug, Clone, Copy)]
pub struct Offered<'a> {
    /// Shared, as a quote of it goes several ways.
    pub price: &'a Arc<Price>,
    pub coupon: Option<&'a Coupon>,
    /// What its trial costs, where it is not free.
    pub trial: Option<&'a Price>,
}

/// What holds for all prices, as it is written in the files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Rules {
    pub currencies: CurrencyTable,
    pub coupons: HashMap<String, Coupon>,
    /// Campaigns that count as made somewhere.
    pub places: HashMap<String, Place>,
    /// Campaigns that are ways to begin only: members are offered no change to them.
    pub entries: HashSet<String>,
    pub bin_offers: Vec<BinOffer>,
}

impl From<Seed> for Rules {
    fn from(seed: Seed) -> Self {
        let place = |campaign: super::campaign::Campaign| Some((campaign.code, campaign.place?));
        let entries = seed.campaigns.iter().filter(|campaign| !campaign.is_plan);
        Self {
            entries: entries.map(|campaign| campaign.code.clone()).collect(),
            currencies: seed.currencies,
            coupons: seed
                .coupons
                .into_iter()
                .map(|coupon| (coupon.code.clone(), coupon))
                .collect(),
            places: seed.campaigns.into_iter().filter_map(place).collect(),
            bin_offers: seed.bin_offers,
        }
    }
}

#[derive(Debug)]
pub struct Catalogue {
    rules: Arc<Rules>,
    campaigns: HashMap<String, CampaignPrices>,
}

/// The prices of one campaign.
#[derive(Debug, Default)]
struct CampaignPrices {
    by_coupon: HashMap<String, Priced>,
    trials: HashMap<&'static str, Price>,
}

#[derive(Debug, Default)]
struct Priced {
    by_country: HashMap<String, Arc<Price>>,
    by_currency: HashMap<&'static str, Arc<Price>>,
}

impl Catalogue {
    pub fn new(rules: Arc<Rules>, prices: impl IntoIterator<Item = Price>) -> Self {
        let mut campaigns: HashMap<String, CampaignPrices> = HashMap::new();
        for price in prices {
            let shelved = campaigns.entry(price.campaign.clone()).or_default();
            let currency = price.terms.currency().code();
            if price.terms.kind == PriceKind::Trial {
                shelved.trials.insert(currency, price);
                continue;
            }
            let rows = shelved
                .by_coupon
                .entry(price.terms.coupon_code.clone())
                .or_default();
            if price.terms.country.is_empty() {
                rows.by_currency.insert(currency, Arc::new(price));
            } else {
                rows.by_country
                    .insert(price.terms.country.clone(), Arc::new(price));
            }
        }
        Self { rules, campaigns }
    }

    pub fn offer(&self, enquiry: PriceQuery<'_>, now: DateTime<Utc>) -> Result<Offered<'_>, PricingError> {
        let place = self.rules.places.get(enquiry.campaign);
        let language = place.map_or(enquiry.language, |place| &place.language);
        let country = place.map_or(enquiry.country, |place| &place.country);
        let shelved = self
            .campaigns
            .get(enquiry.campaign)
            .ok_or(PricingError::UnknownCampaign)?;

        let coupon = self.coupon(enquiry.coupon_code).map_err(PricingError::Coupon)?;
        let rows = shelved.by_coupon.get(coupon.map_or("", |coupon| &coupon.code));
        let rows = match (rows, coupon) {
            (Some(rows), _) => rows,
            (None, Some(_)) => return Err(PricingError::Coupon(coupon::Refusal::OtherCampaign)),
            (None, None) => return Err(PricingError::UnknownCampaign),
        };
        if let Some(coupon) = coupon {
            coupon.check(country, now).map_err(PricingError::Coupon)?;
        }

        let currency = self.rules.currencies.currency(country, language).code();
        let own = rows.by_country.get(country);
        let price = own
            .or_else(|| rows.by_currency.get(currency))
            .ok_or(PricingError::UnknownCampaign)?;
        Ok(Offered {
            price,
            coupon,
            trial: shelved.trials.get(price.terms.currency().code()),
        })
    }

    /// `None` for no code at all. Coupons are written by hand: capitals and spaces around do not matter.
    pub fn coupon(&self, code: &str) -> Result<Option<&Coupon>, coupon::Refusal> {
        let code = code.trim();
        if code.is_empty() {
            return Ok(None);
        }
        let coupons = &self.rules.coupons;
        let found = coupons
            .get(code)
            .or_else(|| coupons.get(&code.to_ascii_uppercase()));
        found.map(Some).ok_or(coupon::Refusal::Unknown)
    }

    /// For a price of the campaign that comes with the coupon.
    pub fn check_coupon(
        &self,
        campaign: &str,
        code: &str,
        country: &str,
        now: DateTime<Utc>,
    ) -> Result<(), coupon::Refusal> {
        let place = self.rules.places.get(campaign);
        let country = place.map_or(country, |place| &place.country);
        match self.coupon(code)? {
            Some(coupon) => coupon.check(country, now),
            None => Ok(()),
        }
    }

    /// What is paid for the time before the subscription at this price.
    pub fn trial_of(&self, price: &Price) -> Option<&Price> {
        if price.terms.kind != PriceKind::Subscription || price.terms.trial_days == 0 {
            return None;
        }
        let shelved = self.campaigns.get(&price.campaign)?;
        shelved.trials.get(price.terms.currency().code())
    }

    /// The trial is then never free.
    pub fn has_paid_trial(&self, price: &Price) -> bool {
        self.trial_of(price).is_some()
    }

    /// Approvals and hosted checkouts do not name the card: it is not sold there.
    pub fn is_for_cards(&self, price: &Price) -> bool {
        is_for_cards(&self.rules.bin_offers, &price.campaign)
    }

    /// Whether it is sold to this card.
    pub fn admits(&self, price: &Price, card: &IssuedCard) -> bool {
        admits(&self.rules.bin_offers, &price.campaign, card)
    }

    /// The plans that a subscriber can change to: same product and currency, recurring, at another price.
    /// Coupons, campaigns that say so, and offers for some people only (made in one place, or for some cards), are ways to begin.
    /// The cheapest first.
    pub fn plans_beside(&self, current: &Price, country: &str) -> Vec<&Price> {
        let for_some = |code: &str| {
            self.rules.entries.contains(code)
                || self.rules.places.contains_key(code)
                || is_for_cards(&self.rules.bin_offers, code)
        };
        let everybodys = self.campaigns.iter().filter(|(code, _)| !for_some(code));
        let mut plans: Vec<&Price> = everybodys
            .filter_map(|(_, shelved)| {
                let rows = shelved.by_coupon.get("")?;
                let own = rows.by_country.get(country);
                let price = own.or_else(|| rows.by_currency.get(current.terms.currency().code()));
                price.map(Arc::as_ref)
            })
            .filter(|price| {
                let (terms, now) = (&price.terms, &current.terms);
                terms.kind == PriceKind::Subscription
                    && terms.product == now.product
                    && terms.currency() == now.currency()
                    && terms.amount.minor != now.amount.minor
            })
            .collect();
        // Where several campaigns sell one plan, the first by its code is it.
        plans.sort_by_key(|price| {
            let terms = &price.terms;
            (terms.amount.minor, terms.period_months, price.campaign.as_str())
        });
        plans.dedup_by_key(|price| (price.terms.amount.minor, price.terms.period_months));
        plans
    }

    /// By their codes, in order.
    pub fn campaigns(&self) -> Vec<&str> {
        let mut codes: Vec<&str> = self.campaigns.keys().map(String::as_str).collect();
        codes.sort_unstable();
        codes
    }

    pub fn has_unsynced(&self) -> bool {
        let priced = self
            .campaigns
            .values()
            .flat_map(|shelved| shelved.by_coupon.values());
        priced
            .flat_map(|priced| priced.by_country.values().chain(priced.by_currency.values()))
            .any(|price| price.is_unsynced())
    }

    /// A price that can be sold by approval has no plan.
    pub fn has_unplanned(&self) -> bool {
        let priced = self
            .campaigns
            .values()
            .flat_map(|shelved| shelved.by_coupon.values());
        priced
            .flat_map(|priced| priced.by_country.values().chain(priced.by_currency.values()))
            .any(|price| price.is_unplanned())
    }

    pub fn rules(&self) -> &Arc<Rules> {
        &self.rules
    }
}

impl Price {
    /// Recurring prices are sold by approval, in the currencies that PayPal pays out.
    pub fn is_unplanned(&self) -> bool {
        const CURRENCIES: [&str; 23] = [
            "AUD", "BRL", "CAD", "CHF", "CNY", "CZK", "DKK", "EUR", "GBP", "HKD", "ILS", "JPY", "MXN", "MYR",
            "NOK", "NZD", "PHP", "PLN", "SEK", "SGD", "THB", "TWD", "USD",
        ];
        self.terms.kind == PriceKind::Subscription
            && CURRENCIES.contains(&self.terms.currency().code())
            && self.paypal_plan_id.is_none()
    }

    /// Only recurring prices must exist at the provider.
    pub fn is_unsynced(&self) -> bool {
        self.terms.kind == PriceKind::Subscription && self.stripe_price_id.is_none()
    }
}

#[cfg(test)]
mod tests;
