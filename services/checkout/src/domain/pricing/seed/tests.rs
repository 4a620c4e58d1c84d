use super::*;
use crate::domain::pricing::bin::{Bin, offer_for};
use crate::domain::pricing::campaign::PriceKind;

fn file(name: &str, text: &str) -> SeedFile {
    SeedFile {
        name: name.to_owned(),
        text: text.to_owned(),
    }
}

fn shipped() -> Vec<SeedFile> {
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../deploy/seed/campaigns");
    std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| {
            file(
                &path.display().to_string(),
                &std::fs::read_to_string(&path).unwrap(),
            )
        })
        .collect()
}

fn campaign<'a>(seed: &'a Seed, code: &str) -> &'a Campaign {
    seed.campaigns
        .iter()
        .find(|campaign| campaign.code == code)
        .unwrap()
}

const CURRENCIES: &str = "kind: currencies\ndefault: USD\nby_language: {en: USD}\n";
const PRODUCTS: &str = "kind: products\nproducts:\n  - {code: premium, opens: [premium]}\n";

/// One file beside currencies and a product that are in order.
fn read_beside(text: &str) -> Result<Seed, SeedErrors> {
    read(&[
        file("currencies.yaml", CURRENCIES),
        file("products.yaml", PRODUCTS),
        file("a.yaml", text),
    ])
}

fn said_of(text: &str) -> String {
    match read_beside(text) {
        Ok(_) => String::new(),
        Err(errors) => errors.to_string(),
    }
}

fn check(text: &str, expected: &[&str]) {
    let said = said_of(text);
    for expected in expected {
        assert!(said.contains(expected), "{expected:?} is not among:\n{said}");
    }
}

#[test]
fn shipped_seed_is_valid_and_prices_every_locale() {
    let seed = read(&shipped()).unwrap();
    assert_eq!(seed.currencies.by_language.len(), 14);
    let codes: BTreeSet<&str> = seed
        .campaigns
        .iter()
        .map(|campaign| campaign.code.as_str())
        .collect();
    let expected = [
        "addition-coaching",
        "addition-therapy",
        "cdc25",
        "coaching-monthly",
        "free-trial",
        "gift-year",
        "lifetime",
        "live-program",
        "paid-trial",
        "teb40",
        "therapy-monthly",
        "turkcell",
        "web-annual",
        "web-monthly",
    ];
    assert_eq!(codes, BTreeSet::from(expected));
}

#[test]
fn shipped_year_is_discounted_from_twelve_months() {
    let seed = read(&shipped()).unwrap();
    for monthly in &campaign(&seed, "web-monthly").prices {
        let currency = monthly.amount.currency;
        for code in ["web-annual", "free-trial"] {
            let annual = campaign(&seed, code)
                .prices
                .iter()
                .find(|price| price.amount.currency == currency)
                .unwrap();
            assert_eq!(
                annual.list.minor,
                monthly.amount.minor * 12,
                "{}",
                currency.code()
            );
        }
    }
}

#[test]
fn shipped_products_open_what_they_are_sold_for() {
    let seed = read(&shipped()).unwrap();
    let opened = |code: &str| campaign(&seed, code).opens.names();
    assert_eq!(opened("web-annual"), ["premium"]);
    assert_eq!(opened("lifetime"), ["premium"]);
    assert_eq!(opened("coaching-monthly"), ["premium", "coaching"]);
    assert_eq!(opened("therapy-monthly"), ["premium", "therapy"]);
    assert_eq!(opened("addition-coaching"), ["coaching"]);
    assert_eq!(opened("addition-therapy"), ["therapy"]);
    assert!(opened("gift-year").is_empty());
    let kind = |code: &str| campaign(&seed, code).kind;
    assert_eq!(kind("addition-therapy"), PriceKind::Addition);
    assert_eq!(kind("gift-year"), PriceKind::Gift);
}

#[test]
fn a_product_is_listed_once_and_opens_what_is_known() {
    check(
        "kind: products\nproducts:\n  - {code: massage, opens: [massage]}\n  - {code: premium, opens: []}\n  - {code: A B, opens: []}\n",
        &[
            "a.yaml:3: products.0.opens: \"massage\" is nothing that a product opens; use some of premium, coaching, therapy.",
            "a.yaml:4: products.1.code: premium is given twice",
            "a.yaml:5: products.2.code: \"A B\" is no name",
        ],
    );
    check(
        "kind: campaign\ncode: a\nproduct: massage\nperiod_months: 1\nprices: {USD: {amount: '9.99'}}\n",
        &["a.yaml:3: product: massage is in no products file; write the product into products.yaml"],
    );
}

#[test]
fn shipped_turkish_offers_are_in_lira_in_every_country() {
    let seed = read(&shipped()).unwrap();
    for code in ["teb40", "turkcell", "cdc25"] {
        let offer = campaign(&seed, code);
        let place = offer.place.as_ref().unwrap();
        assert_eq!((place.language.as_str(), place.country.as_str()), ("tr", "TR"));
        assert!(
            offer
                .prices
                .iter()
                .all(|price| price.amount.currency.code() == "TRY")
        );
    }
}

#[test]
fn every_error_of_every_file_is_named_with_its_line_and_what_to_do() {
    let errors = read(&[
        file(
            "currencies.yaml",
            "kind: currencies\ndefault: USD\nby_language:\n  en: USD\n  ja: JPY\n  xx: EURO\nby_country: {Turkey: USD}\n",
        ),
        file(
            "coupons.yaml",
            "kind: coupons\ncoupons:\n  - code: low\n    percent_off: 0\n    member_max: 0\n",
        ),
        file(
            "a.yaml",
            "kind: campaign\ncode: A B\nproduct: premium\nperiod_months: 0\ncoupons: [NONE]\nprices:\n  USD: {amount: '9.9'}\n",
        ),
        file("b.yaml", "kind: campaign\ncode: b\nsurprise: 1\n"),
        file(
            "c.yaml",
            "kind: bin_offer\ncode: c\ncampaign: nothing\nbins: ['44077']\ncountries: [Turkey]\n",
        ),
    ])
    .unwrap_err();
    let said = errors.to_string();
    for expected in [
        "currencies.yaml:6: by_language.xx: ",
        "currencies.yaml:7: by_country.Turkey: \"Turkey\" is no country; use its two capitals",
        "coupons.yaml:3: coupons.0.code: \"low\" is no code; use capital letters",
        "coupons.yaml:4: coupons.0.percent_off: 0 is not between 1 and 95",
        "coupons.yaml:5: coupons.0.member_max: 0 is less than one",
        "a.yaml:2: code: \"A B\" is no name",
        "a.yaml:4: period_months: 0 is not between 1 and 36",
        "a.yaml:5: coupons.0: NONE is in no coupons file",
        "a.yaml:7: prices.USD: \"9.9\" is not an amount in USD; write it in quotes with 2 decimals",
        "a.yaml:6: prices: JPY is missing",
        "b.yaml:3: ",
        "c.yaml:3: campaign: there is no campaign \"nothing\"",
        "c.yaml:4: bins.0: \"44077\" are no beginnings of cards",
        "c.yaml:5: countries.0: \"Turkey\" is no country",
    ] {
        assert!(said.contains(expected), "{expected:?} is not among:\n{said}");
    }
}

#[test]
fn missing_currencies_are_an_error() {
    let errors = read(&[]).unwrap_err();
    assert_eq!(
        errors.0[0].to_string(),
        "currencies.yaml:1: no file is of kind currencies; write one."
    );
}

#[test]
fn limits_of_a_coupon_are_read() {
    let text = "kind: coupons\ncoupons:\n  - code: SPRING\n    percent_off: 10\n    redemptions_max: 100\n    member_max: 1\n    \
                valid_from: 2026-03-01T00:00:00Z\n    valid_until: 2026-06-01T00:00:00Z\n    countries: [TR, DE]\n";
    let seed = read_beside(text).unwrap();
    let limits = &seed.coupons[0].limits;
    assert_eq!((limits.redemptions_max, limits.member_max), (Some(100), Some(1)));
    assert_eq!(limits.valid_until, "2026-06-01T00:00:00Z".parse().ok());
    assert_eq!(limits.countries.len(), 2);
}

#[test]
fn coupon_that_never_counts_is_an_error() {
    check(
        "kind: coupons\ncoupons:\n  - code: A\n    percent_off: 5\n    valid_from: 2026-03-01T00:00:00Z\n    \
         valid_until: 2026-03-01T00:00:00Z\n  - code: A\n    percent_off: 5\n    valid_until: tomorrow\n",
        &[
            "a.yaml:6: coupons.0.valid_until: it ends before it begins",
            "a.yaml:7: coupons.1.code: A is given twice",
            "a.yaml:9: coupons.1.valid_until: \"tomorrow\" is no moment; write it like",
        ],
    );
}

#[test]
fn one_time_and_lifetime_prices_have_no_trial() {
    check(
        "kind: campaign\ncode: billing\nproduct: premium\nsells: lifetime\nperiod_months: 1\ntrial_days: 7\n\
         prices: {USD: {amount: '9.99'}}\n",
        &[
            "a.yaml:5: period_months: 1 is not between 0 and 0",
            "a.yaml:6: trial_days: only a subscription has a trial",
        ],
    );
    let text =
        "kind: campaign\ncode: billing\nproduct: premium\nsells: lifetime\nprices: {USD: {amount: '9.99'}}\n";
    let seed = read_beside(text).unwrap();
    assert_eq!(seed.campaigns[0].kind, PriceKind::Lifetime);
}

#[test]
fn country_has_its_own_price_in_its_own_currency_and_trials_may_cost() {
    let text = "kind: campaign\ncode: a\nproduct: premium\nperiod_months: 1\ntrial_days: 7\nprices: {USD: {amount: '9.99'}}\n\
                country_prices: {AR: {currency: EUR, amount: '4.99', list: '9.99'}}\ntrial_prices: {USD: '1.00'}\n";
    let seed = read_beside(text).unwrap();
    let [general, argentine] = &seed.campaigns[0].prices[..] else {
        panic!("{:?}", seed.campaigns[0].prices)
    };
    assert_eq!((general.country.as_str(), general.amount.minor), ("", 999));
    assert_eq!((argentine.country.as_str(), argentine.amount.minor), ("AR", 499));
    assert_eq!(seed.campaigns[0].trial_prices[0].minor, 100);
}

#[test]
fn shipped_bin_offer_holds_for_its_bank_alone() {
    let seed = read(&shipped()).unwrap();
    let offer = |text: &str| offer_for(&seed.bin_offers, Bin::parse(text).ok().unwrap());
    assert_eq!(
        offer("440776").map(|offer| offer.campaign.as_str()),
        Some("teb40")
    );
    assert_eq!(offer("424242"), None);
}
