//! Files of kind `campaign`.

use std::collections::{BTreeSet, HashMap};

use kit::money::{Currency, Money};

use super::amounts::{currency, listed, parse, problem};
use super::documents::Sells;
use super::{ErrorCollector, Problem, SourceFile, country, documents, slug};
use crate::domain::pricing::campaign::{Campaign, ListedPrice, Place, PriceKind};
use crate::domain::pricing::coupon::Coupon;
use crate::domain::pricing::currency_table::CurrencyTable;
use crate::domain::pricing::opens::Opens;

pub fn read(
    files: &[(SourceFile<'_>, documents::Campaign)],
    currencies: Option<&CurrencyTable>,
    coupons: &HashMap<String, Coupon>,
    products: &HashMap<String, Opens>,
    errors: &mut ErrorCollector,
) -> Vec<Campaign> {
    let mut codes = BTreeSet::new();
    let mut campaigns = Vec::new();
    for (sheet, document) in files {
        if !codes.insert(&document.code) {
            let why = format!("{} is taken by another file", document.code);
            errors.error(sheet, "code", (why, "give it a name of its own.".to_owned()));
        }
        let mut campaign = campaign(sheet, document, errors);
        let opens = products.get(&document.product).copied().ok_or_else(|| {
            let fix = "write the product into products.yaml, with what it opens.";
            (
                format!("{} is in no products file", document.product),
                fix.to_owned(),
            )
        });
        campaign.opens = errors.take(sheet, "product", opens).unwrap_or_default();
        for (index, code) in document.coupons.iter().enumerate() {
            let found = coupons.get(code).cloned().ok_or_else(|| {
                let fix = "write the coupon into coupons.yaml, or take it out here.";
                (format!("{code} is in no coupons file"), fix.to_owned())
            });
            let coupon = errors.take(sheet, format!("coupons.{index}"), found);
            campaign.coupons.extend(coupon);
        }
        if let Some(table) = currencies {
            require(sheet, &campaign, table, errors);
        }
        campaigns.push(campaign);
    }
    campaigns
}

fn campaign(sheet: &SourceFile<'_>, document: &documents::Campaign, errors: &mut ErrorCollector) -> Campaign {
    errors.take(sheet, "code", slug(&document.code));
    let kind = match document.sells {
        Sells::Subscription => PriceKind::Subscription,
        Sells::OneTime => PriceKind::OneTime,
        Sells::Gift => PriceKind::Gift,
        Sells::Addition => PriceKind::Addition,
        Sells::Lifetime => PriceKind::Lifetime,
    };
    errors.take(sheet, "period_months", period(kind, document.period_months));
    errors.take(sheet, "trial_days", trial(kind, document));
    Campaign {
        code: document.code.clone(),
        product: document.product.clone(),
        opens: Opens::default(),
        kind,
        period_months: document.period_months,
        trial_days: document.trial_days,
        place: document
            .place
            .as_ref()
            .and_then(|written| place(sheet, written, errors)),
        is_plan: document.plan.unwrap_or(true),
        coupons: Vec::new(),
        prices: prices(sheet, document, errors),
        trial_prices: trial_prices(sheet, document, errors),
    }
}

fn period(kind: PriceKind, months: i32) -> Result<(), Problem> {
    let allowed = match kind {
        PriceKind::Subscription => 1..=36,
        PriceKind::OneTime | PriceKind::Gift | PriceKind::Addition => 0..=36,
        PriceKind::Lifetime | PriceKind::Trial => 0..=0,
    };
    if allowed.contains(&months) {
        return Ok(());
    }
    problem(
        format!(
            "{months} is not between {} and {}",
            allowed.start(),
            allowed.end()
        ),
        "write the months one payment is for.",
    )
}

fn trial(kind: PriceKind, document: &documents::Campaign) -> Result<(), Problem> {
    let days = document.trial_days;
    if !(0..=365).contains(&days) {
        return problem(
            format!("{days} is not between 0 and 365"),
            "write the days before the first charge.",
        );
    }
    if days > 0 && kind != PriceKind::Subscription {
        return problem("only a subscription has a trial", "take it out.");
    }
    if days == 0 && !document.trial_prices.is_empty() {
        return problem(
            "trial_prices are given, but no trial",
            "write how many days the trial has.",
        );
    }
    Ok(())
}

fn place(sheet: &SourceFile<'_>, written: &documents::Place, errors: &mut ErrorCollector) -> Option<Place> {
    let country = errors.take(sheet, "place.country", country(&written.country))?;
    Some(Place {
        language: written.language.clone(),
        country,
    })
}

fn prices(
    sheet: &SourceFile<'_>,
    document: &documents::Campaign,
    errors: &mut ErrorCollector,
) -> Vec<ListedPrice> {
    let mut prices = Vec::new();
    for (code, written) in &document.prices {
        let read =
            currency(code).and_then(|currency| listed(currency, &written.amount, written.list.as_deref()));
        prices.extend(errors.take(sheet, format!("prices.{code}"), read));
    }
    for (code, written) in &document.country_prices {
        let read = country(code).and_then(|country| {
            let currency = currency(&written.currency)?;
            let price = listed(currency, &written.amount, written.list.as_deref())?;
            Ok(ListedPrice { country, ..price })
        });
        prices.extend(errors.take(sheet, format!("country_prices.{code}"), read));
    }
    prices
}

fn trial_prices(
    sheet: &SourceFile<'_>,
    document: &documents::Campaign,
    errors: &mut ErrorCollector,
) -> Vec<Money> {
    let mut fees = Vec::new();
    for (code, amount) in &document.trial_prices {
        let read = currency(code).and_then(|currency| parse(amount, currency));
        fees.extend(errors.take(sheet, format!("trial_prices.{code}"), read));
    }
    fees
}

/// Every quotable visitor has a price.
fn require(sheet: &SourceFile<'_>, campaign: &Campaign, table: &CurrencyTable, errors: &mut ErrorCollector) {
    let required: Vec<Currency> = match &campaign.place {
        Some(place) => vec![table.currency(&place.country, &place.language)],
        None => table.required(),
    };
    for currency in required {
        let is_priced = campaign
            .prices
            .iter()
            .any(|price| price.country.is_empty() && price.amount.currency == currency);
        if !is_priced {
            let fix = "write a price for it: visitors can be quoted in it.".to_owned();
            errors.error(sheet, "prices", (format!("{} is missing", currency.code()), fix));
        }
    }
}
