//! Offers of campaigns, compared with promises in copy.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

use super::amount::Amount;

/// Everything copy can be held against.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Campaigns {
    by_code: BTreeMap<String, Campaign>,
    /// Percent off by coupon.
    coupons: BTreeMap<String, u32>,
    currencies: Currencies,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Campaign {
    pub code: String,
    pub period_months: i64,
    pub trial_days: u32,
    pub coupons: Vec<String>,
    /// By ISO 4217 code.
    pub prices: BTreeMap<String, Price>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Price {
    pub amount: Amount,
    /// What it is discounted from.
    pub list: Option<Amount>,
}

#[derive(Deserialize)]
struct CampaignFile {
    code: String,
    #[serde(default)]
    period_months: i64,
    #[serde(default)]
    trial_days: u32,
    #[serde(default)]
    coupons: Vec<String>,
    #[serde(default)]
    prices: BTreeMap<String, PriceFile>,
}

#[derive(Deserialize)]
struct PriceFile {
    amount: String,
    list: Option<String>,
}

#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(default)]
struct Currencies {
    default: String,
    by_language: BTreeMap<String, String>,
}

#[derive(Deserialize)]
struct CouponsFile {
    coupons: Vec<CouponFile>,
}

#[derive(Deserialize)]
struct CouponFile {
    code: String,
    percent_off: Option<u32>,
}

#[derive(Deserialize)]
struct Kind {
    #[serde(default)]
    kind: String,
}

impl Campaigns {
    pub fn read(dir: &Path) -> anyhow::Result<Self> {
        let mut found = Self::default();
        let entries = fs::read_dir(dir).with_context(|| dir.display().to_string())?;
        for entry in entries {
            let path = entry?.path();
            if path.extension().is_some_and(|ending| ending == "yaml") {
                let text = fs::read_to_string(&path).map_err(anyhow::Error::from);
                text.and_then(|text| found.add(&text))
                    .with_context(|| path.display().to_string())?;
            }
        }
        Ok(found)
    }

    /// Takes in one file; of a kind it does not know, nothing.
    pub fn add(&mut self, yaml: &str) -> anyhow::Result<()> {
        let kind: Kind = serde_yaml_ng::from_str(yaml)?;
        match kind.kind.as_str() {
            "campaign" => {
                let campaign = Campaign::try_from(serde_yaml_ng::from_str::<CampaignFile>(yaml)?)?;
                self.by_code.insert(campaign.code.clone(), campaign);
            }
            "coupons" => {
                let file: CouponsFile = serde_yaml_ng::from_str(yaml)?;
                let given = file.coupons.into_iter();
                self.coupons
                    .extend(given.filter_map(|coupon| Some((coupon.code, coupon.percent_off?))));
            }
            "currencies" => self.currencies = serde_yaml_ng::from_str(yaml)?,
            _ => {}
        }
        Ok(())
    }

    pub fn get(&self, code: &str) -> Option<&Campaign> {
        self.by_code.get(code)
    }

    pub fn all(&self) -> impl Iterator<Item = &Campaign> {
        self.by_code.values()
    }

    /// In which currency a reader of this locale pays.
    pub fn currency(&self, locale: &str) -> &str {
        let own = self.currencies.by_language.get(locale);
        own.unwrap_or(&self.currencies.default)
    }

    /// What a coupon takes off, in percent.
    pub fn percent_off(&self, coupon: &str) -> Option<u32> {
        self.coupons.get(coupon).copied()
    }
}

impl TryFrom<CampaignFile> for Campaign {
    type Error = anyhow::Error;

    fn try_from(file: CampaignFile) -> Result<Self, Self::Error> {
        let price = |(currency, price): (String, PriceFile)| {
            let list = price.list.as_deref().map(amount).transpose()?;
            let amount = amount(&price.amount)?;
            Ok((currency, Price { amount, list }))
        };
        Ok(Self {
            code: file.code,
            period_months: file.period_months.max(1),
            trial_days: file.trial_days,
            coupons: file.coupons,
            prices: file
                .prices
                .into_iter()
                .map(price)
                .collect::<anyhow::Result<_>>()?,
        })
    }
}

fn amount(text: &str) -> anyhow::Result<Amount> {
    Amount::parse(text).with_context(|| format!("{text} is no amount"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_needed_is_read_and_the_rest_passed_over() {
        let mut campaigns = Campaigns::default();
        let annual = "kind: campaign\ncode: web-annual\nnewer: [1]\nperiod_months: 12\ntrial_days: 7\ncoupons: [W]\nprices:\n  EUR: { amount: \"69.99\", list: \"155.88\", tax: in }\n";
        for file in [
            annual,
            "kind: coupons\ncoupons: [ { code: W, percent_off: 20 }, { code: X, amount_off: { EUR: 5 } } ]\n",
            "kind: currencies\ndefault: USD\nby_language: { de: EUR }\n",
            "kind: something\nelse: true\n",
        ] {
            campaigns.add(file).unwrap();
        }
        let annual = campaigns.get("web-annual").unwrap();
        assert_eq!((annual.trial_days, annual.period_months), (7, 12));
        assert_eq!(Some(annual.prices["EUR"].amount), Amount::parse("69.99"));
        assert_eq!(
            (campaigns.percent_off("W"), campaigns.percent_off("X")),
            (Some(20), None)
        );
        assert_eq!(
            (campaigns.currency("de"), campaigns.currency("da")),
            ("EUR", "USD")
        );
    }

    #[test]
    fn the_campaigns_we_ship_can_be_read() {
        let dir = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/campaigns");
        let campaigns = Campaigns::read(Path::new(dir)).unwrap();
        assert_eq!(campaigns.get("web-annual").unwrap().trial_days, 7);
        assert!(campaigns.all().count() >= 2);
    }
}
