use kit::money::{Currency, Money};

use super::*;
use crate::domain::fixtures::{later, noon, premium};
use crate::domain::pricing::coupon::{Limits, Refusal};

fn currency(code: &str) -> Currency {
    Currency::parse(code).unwrap()
}

fn terms(coupon_code: &str, code: &str, country: &str) -> Terms {
    let amount = Money::new(1000, currency(code));
    Terms {
        kind: PriceKind::Subscription,
        coupon_code: coupon_code.into(),
        country: country.into(),
        product: "premium".into(),
        opens: premium(),
        period_months: 1,
        trial_days: 0,
        amount,
        list: amount,
        lookup_key: format!("{coupon_code}.{code}{country}"),
    }
}

fn price(campaign: &str, terms: Terms) -> Price {
    Price {
        price_id: PriceId::new(noon()),
        campaign_id: CampaignId::new(noon()),
        campaign: campaign.into(),
        terms,
        stripe_price_id: None,
        paypal_plan_id: None,
    }
}

fn coupon(code: &str, limits: Limits) -> (String, Coupon) {
    let coupon = Coupon {
        code: code.into(),
        percent_off: 20,
        limits,
    };
    (code.into(), coupon)
}

fn rules() -> Rules {
    let summer = Limits {
        valid_until: Some(later(1)),
        ..Limits::default()
    };
    let turkish = Place {
        language: "tr".into(),
        country: "TR".into(),
    };
    Rules {
        currencies: CurrencyTable {
            default: currency("USD"),
            by_language: HashMap::from([("en".into(), currency("USD")), ("tr".into(), currency("TRY"))]),
            by_country: HashMap::from([("BY".into(), currency("RUB"))]),
        },
        coupons: HashMap::from([
            coupon("WELCOME20", Limits::default()),
            coupon("SUMMER", summer),
            coupon("ELSEWHERE", Limits::default()),
        ]),
        places: HashMap::from([("cdc25".into(), turkish)]),
        entries: HashSet::from(["early-bird".into()]),
        bin_offers: Vec::new(),
    }
}

fn catalogue() -> Catalogue {
    let fee = Terms {
        kind: PriceKind::Trial,
        ..terms("", "TRY", "")
    };
    Catalogue::new(
        Arc::new(rules()),
        [
            price("web-monthly", terms("", "USD", "")),
            price("web-monthly", terms("", "TRY", "")),
            price("web-monthly", terms("", "RUB", "")),
            price("web-monthly", terms("", "EUR", "AR")),
            price("web-monthly", terms("WELCOME20", "TRY", "")),
            price("web-monthly", terms("SUMMER", "TRY", "")),
            price("web-monthly", fee),
            price("cdc25", terms("", "TRY", "")),
        ],
    )
}

fn check(
    campaign: &str,
    coupon_code: &str,
    language: &str,
    country: &str,
    expected: Result<&str, PricingError>,
) {
    let catalogue = catalogue();
    let enquiry = PriceQuery {
        campaign,
        coupon_code,
        language,
        country,
    };
    let found = catalogue.offer(enquiry, noon());
    assert_eq!(
        found.map(|offered| offered.price.terms.lookup_key.as_str()),
        expected
    );
}

#[test]
fn language_decides_the_currency() {
    check("web-monthly", "", "tr", "TR", Ok(".TRY"));
    check("web-monthly", "", "tr-TR", "US", Ok(".TRY"));
    check("web-monthly", "", "en", "TR", Ok(".USD"));
    check("web-monthly", "", "xx", "", Ok(".USD"));
}

#[test]
fn country_comes_before_language_where_it_is_named() {
    check("web-monthly", "", "en", "BY", Ok(".RUB"));
    // A price of its own, in a currency of its own.
    check("web-monthly", "", "en", "AR", Ok(".EURAR"));
}

#[test]
fn turkish_offer_is_turkish_in_every_country() {
    check("cdc25", "", "en", "US", Ok(".TRY"));
    check("cdc25", "", "ja", "JP", Ok(".TRY"));
}

#[test]
fn coupon_is_found_however_it_is_written() {
    check("web-monthly", " welcome20 ", "tr", "TR", Ok("WELCOME20.TRY"));
}

#[test]
fn unknown_campaign_unknown_coupon_and_coupon_of_another_campaign_are_distinguished() {
    check("nothing", "", "tr", "TR", Err(PricingError::UnknownCampaign));
    check(
        "web-monthly",
        "FREE",
        "tr",
        "TR",
        Err(PricingError::Coupon(Refusal::Unknown)),
    );
    check(
        "web-monthly",
        "ELSEWHERE",
        "tr",
        "TR",
        Err(PricingError::Coupon(Refusal::OtherCampaign)),
    );
}

#[test]
fn coupon_ends_by_the_clock() {
    let catalogue = catalogue();
    let enquiry = PriceQuery {
        campaign: "web-monthly",
        coupon_code: "SUMMER",
        language: "tr",
        country: "TR",
    };
    assert!(catalogue.offer(enquiry, noon()).is_ok());
    let late = catalogue.offer(enquiry, later(1)).err();
    assert_eq!(late, Some(PricingError::Coupon(Refusal::Expired)));
}

#[test]
fn trial_price_is_quoted_beside_the_price_and_never_as_the_price() {
    let catalogue = catalogue();
    let trial = |language| {
        let enquiry = PriceQuery {
            campaign: "web-monthly",
            coupon_code: "",
            language,
            country: "",
        };
        let offered = catalogue.offer(enquiry, noon()).unwrap();
        assert_eq!(offered.price.terms.kind, PriceKind::Subscription);
        offered.trial.is_some()
    };
    assert!(trial("tr") && !trial("en"));
}

#[test]
fn plan_is_offered_by_its_own_campaign_and_not_by_one_that_only_leads_in() {
    let monthly = price("web-monthly", terms("", "TRY", ""));
    let year = |campaign: &str| {
        let amount = Money::new(9000, currency("TRY"));
        let terms = Terms {
            period_months: 12,
            amount,
            list: amount,
            ..terms("", "TRY", "")
        };
        price(campaign, terms)
    };
    let all = [
        monthly.clone(),
        year("early-bird"),
        year("web-annual"),
        year("cdc25"),
    ];
    let catalogue = Catalogue::new(Arc::new(rules()), all);
    let offered: Vec<&str> = catalogue
        .plans_beside(&monthly, "TR")
        .into_iter()
        .map(|price| price.campaign.as_str())
        .collect();
    assert_eq!(offered, ["web-annual"]);
}
