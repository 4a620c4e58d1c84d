use super::*;

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

#[test]
fn shipped_seed_is_valid_and_prices_every_locale() {
    let seed = read(&shipped()).unwrap();
    assert_eq!(seed.currencies.by_language.len(), 14);
    let codes: BTreeSet<&str> = seed
        .campaigns
        .iter()
        .map(|campaign| campaign.code.as_str())
        .collect();
    assert_eq!(codes, BTreeSet::from(["web-annual", "web-monthly"]));
}

#[test]
fn shipped_year_is_discounted_from_twelve_months() {
    let seed = read(&shipped()).unwrap();
    let campaign = |code: &str| {
        seed.campaigns
            .iter()
            .find(|campaign| campaign.code == code)
            .unwrap()
    };
    for monthly in &campaign("web-monthly").prices {
        let currency = monthly.amount.currency;
        let annual = campaign("web-annual")
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

#[test]
fn every_fault_of_every_file_is_named() {
    let faults = read(&[
        file(
            "currencies.yaml",
            "kind: currencies\ndefault: USD\nby_language: {en: USD, ja: JPY, xx: EURO}",
        ),
        file(
            "coupons.yaml",
            "kind: coupons\ncoupons: [{code: low, percent_off: 0}]",
        ),
        file(
            "a.yaml",
            "kind: campaign\ncode: A B\nproduct: premium\nperiod_months: 0\ncoupons: [NONE]\n\
             prices: {USD: {amount: '9.9'}}",
        ),
        file("b.yaml", "kind: campaign\nsurprise: 1"),
    ])
    .unwrap_err()
    .0;
    let said = faults.join("\n");
    for expected in [
        "currencies.yaml: by_language.xx",
        "coupons.yaml: coupons.low: use capital letters",
        "coupons.yaml: coupons.low.percent_off: 0 is not between 1 and 95",
        "a.yaml: code: \"A B\"",
        "a.yaml: period_months: 0",
        "a.yaml: coupons: NONE is in no coupons file",
        "a.yaml: prices.USD: \"9.9\" is not an amount with 2 decimals",
        "a.yaml: prices: JPY is missing",
        "b.yaml: ",
    ] {
        assert!(said.contains(expected), "{expected:?} is not among:\n{said}");
    }
}

#[test]
fn missing_currencies_are_a_fault() {
    assert_eq!(read(&[]).unwrap_err().0, ["no file of kind currencies"]);
}

#[test]
fn amounts_are_exact_in_the_decimals_of_their_currency() {
    let parse =
        |text: &str, code: &str| parse_amount(text, Currency::parse(code).unwrap()).map(|money| money.minor);
    assert_eq!(parse("199.99", "TRY"), Ok(19_999));
    assert_eq!(parse("199", "TRY"), Ok(19_900));
    assert_eq!(parse("1500", "JPY"), Ok(1500));
    for (text, code) in [
        ("15.00", "JPY"),
        ("9.9", "USD"),
        ("-1", "USD"),
        ("0.00", "USD"),
        ("1.", "USD"),
        ("", "USD"),
    ] {
        assert!(parse(text, code).is_err(), "{text} {code}");
    }
}
