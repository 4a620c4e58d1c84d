//! The seed files: what is on sale, as people write it. Everything wrong with them is said at once, file by file.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;

use kit::money::{Currency, Money};
use serde::Deserialize;

use super::campaign::{Campaign, Coupon, ListedPrice};
use super::catalogue::CurrencyTable;

/// One file: its name, for the faults, and its text.
#[derive(Debug, Clone)]
pub struct SeedFile {
    pub name: String,
    pub text: String,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Seed {
    pub currencies: CurrencyTable,
    pub campaigns: Vec<Campaign>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SeedFaults(pub Vec<String>);

impl fmt::Display for SeedFaults {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            formatter,
            "the campaign files cannot be used:\n  {}",
            self.0.join("\n  ")
        )
    }
}

impl std::error::Error for SeedFaults {}

#[derive(Debug, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Document {
    Currencies(CurrenciesDocument),
    Coupons(CouponsDocument),
    Campaign(CampaignDocument),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CurrenciesDocument {
    default: String,
    by_language: BTreeMap<String, String>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CouponsDocument {
    coupons: Vec<CouponDocument>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CouponDocument {
    code: String,
    percent_off: u8,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct CampaignDocument {
    code: String,
    product: String,
    period_months: i32,
    #[serde(default)]
    trial_days: i32,
    #[serde(default)]
    coupons: Vec<String>,
    prices: BTreeMap<String, PriceDocument>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct PriceDocument {
    amount: String,
    list: Option<String>,
}

/// Reads all files together: campaigns refer to coupons and currencies of other files.
pub fn read(files: &[SeedFile]) -> Result<Seed, SeedFaults> {
    let mut faults = Faults::default();
    let mut currency_documents = Vec::new();
    let mut coupons = HashMap::new();
    let mut campaign_documents = Vec::new();
    for file in files {
        match serde_yaml_ng::from_str::<Document>(&file.text) {
            Ok(Document::Currencies(document)) => currency_documents.push((file, document)),
            Ok(Document::Coupons(document)) => read_coupons(file, document, &mut coupons, &mut faults),
            Ok(Document::Campaign(document)) => campaign_documents.push((file, document)),
            Err(error) => faults.add(file, error),
        }
    }

    let currencies = read_currencies(currency_documents, &mut faults);
    let required = currencies
        .as_ref()
        .map(CurrencyTable::required)
        .unwrap_or_default();
    let mut codes = BTreeSet::new();
    let mut campaigns = Vec::new();
    for (file, document) in campaign_documents {
        if !codes.insert(document.code.clone()) {
            faults.add(file, format!("code: {} is taken by another file", document.code));
        }
        let shared = Shared {
            coupons: &coupons,
            required: &required,
        };
        campaigns.push(read_campaign(file, document, &shared, &mut faults));
    }

    match (currencies, faults.0.is_empty()) {
        (Some(currencies), true) => Ok(Seed {
            currencies,
            campaigns,
        }),
        _ => Err(SeedFaults(faults.0)),
    }
}

/// What other files offer to a campaign.
struct Shared<'a> {
    coupons: &'a HashMap<String, Coupon>,
    required: &'a [Currency],
}

#[derive(Default)]
struct Faults(Vec<String>);

impl Faults {
    fn add(&mut self, file: &SeedFile, why: impl fmt::Display) {
        self.0.push(format!("{}: {why}", file.name));
    }
}

fn read_currencies(
    documents: Vec<(&SeedFile, CurrenciesDocument)>,
    faults: &mut Faults,
) -> Option<CurrencyTable> {
    let mut documents = documents.into_iter();
    let Some((file, document)) = documents.next() else {
        faults.0.push("no file of kind currencies".to_owned());
        return None;
    };
    for (extra, _) in documents {
        faults.add(
            extra,
            format!("kind: currencies are already given by {}", file.name),
        );
    }

    let mut by_language = HashMap::new();
    for (language, code) in document.by_language {
        match Currency::parse(&code) {
            Ok(currency) => {
                by_language.insert(language, currency);
            }
            Err(error) => faults.add(file, format!("by_language.{language}: {error}")),
        }
    }
    match Currency::parse(&document.default) {
        Ok(default) => Some(CurrencyTable { default, by_language }),
        Err(error) => {
            faults.add(file, format!("default: {error}"));
            None
        }
    }
}

fn read_coupons(
    file: &SeedFile,
    document: CouponsDocument,
    coupons: &mut HashMap<String, Coupon>,
    faults: &mut Faults,
) {
    for CouponDocument { code, percent_off } in document.coupons {
        if !is_coupon_code(&code) {
            faults.add(
                file,
                format!("coupons.{code}: use capital letters and digits, at most 32"),
            );
        }
        if !(1..=95).contains(&percent_off) {
            faults.add(
                file,
                format!("coupons.{code}.percent_off: {percent_off} is not between 1 and 95"),
            );
        }
        if coupons
            .insert(
                code.clone(),
                Coupon {
                    code: code.clone(),
                    percent_off,
                },
            )
            .is_some()
        {
            faults.add(file, format!("coupons.{code}: given twice"));
        }
    }
}

fn read_campaign(
    file: &SeedFile,
    document: CampaignDocument,
    shared: &Shared<'_>,
    faults: &mut Faults,
) -> Campaign {
    for (field, text) in [("code", &document.code), ("product", &document.product)] {
        if !is_slug(text) {
            faults.add(
                file,
                format!("{field}: {text:?} is not lower-case words joined by hyphens"),
            );
        }
    }
    if !(1..=36).contains(&document.period_months) {
        faults.add(
            file,
            format!(
                "period_months: {} is not between 1 and 36",
                document.period_months
            ),
        );
    }
    if !(0..=365).contains(&document.trial_days) {
        faults.add(
            file,
            format!("trial_days: {} is not between 0 and 365", document.trial_days),
        );
    }

    let mut coupons = Vec::new();
    for code in &document.coupons {
        match shared.coupons.get(code) {
            Some(coupon) => coupons.push(coupon.clone()),
            None => faults.add(file, format!("coupons: {code} is in no coupons file")),
        }
    }
    let prices = read_prices(file, &document.prices, faults);
    for currency in shared.required {
        if !document.prices.contains_key(currency.code()) {
            faults.add(file, format!("prices: {} is missing", currency.code()));
        }
    }

    Campaign {
        code: document.code,
        product: document.product,
        period_months: document.period_months,
        trial_days: document.trial_days,
        coupons,
        prices,
    }
}

fn read_prices(
    file: &SeedFile,
    documents: &BTreeMap<String, PriceDocument>,
    faults: &mut Faults,
) -> Vec<ListedPrice> {
    let mut prices = Vec::new();
    for (code, document) in documents {
        match read_price(code, document) {
            Ok(price) => prices.push(price),
            Err(why) => faults.add(file, format!("prices.{code}: {why}")),
        }
    }
    prices
}

fn read_price(code: &str, document: &PriceDocument) -> Result<ListedPrice, String> {
    let currency = Currency::parse(code).map_err(|error| error.to_string())?;
    let amount = parse_amount(&document.amount, currency)?;
    let list = match &document.list {
        Some(text) => parse_amount(text, currency)?,
        None => amount,
    };
    if list.minor < amount.minor {
        return Err(format!(
            "list {} is below amount {}",
            list.major(),
            amount.major()
        ));
    }
    Ok(ListedPrice { amount, list })
}

/// `"12.99"` to minor units, exactly: as many decimals as the currency has, or none.
fn parse_amount(text: &str, currency: Currency) -> Result<Money, String> {
    let exponent = usize::try_from(currency.exponent()).map_err(|error| error.to_string())?;
    let (whole, decimals) = text.split_once('.').unwrap_or((text, ""));
    let digits_only = !whole.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let whole_number = decimals.is_empty() && !text.contains('.');
    if !digits_only || !(whole_number || decimals.len() == exponent) {
        return Err(format!("{text:?} is not an amount with {exponent} decimals"));
    }
    let minor: i64 = format!("{whole}{decimals:0<exponent$}")
        .parse()
        .map_err(|_| format!("{text:?} is too large"))?;
    if minor == 0 {
        return Err("an amount must be more than zero".to_owned());
    }
    Ok(Money::new(minor, currency))
}

fn is_slug(text: &str) -> bool {
    let word = |word: &str| {
        !word.is_empty()
            && word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit())
    };
    text.len() <= 64 && text.split('-').all(word)
}

fn is_coupon_code(text: &str) -> bool {
    let plain = text
        .bytes()
        .all(|byte| byte.is_ascii_uppercase() || byte.is_ascii_digit());
    plain && (1..=32).contains(&text.len())
}

#[cfg(test)]
#[path = "seed_tests.rs"]
mod tests;
