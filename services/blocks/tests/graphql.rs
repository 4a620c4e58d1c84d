//! The blocks as a GraphQL reader sees them: one list, many types, prices asked for only when wanted.
#![allow(clippy::expect_used, reason = "a test fails by panicking")]

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use async_graphql::{EmptyMutation, EmptySubscription, Object, Schema};
use async_trait::async_trait;
use blocks::{Block, Decimal, Footer, Locale, Navigation, Offer, OfferKey, OfferSource};
use serde_json::{Value, json};

struct Query;

#[Object]
impl Query {
    async fn sections(&self) -> Vec<Block> {
        let hero = json!({"title": "A quieter mind", "buttons": [{"text": "Start", "url": "/signup", "noFollow": true}]});
        let plans = json!({"plans": [
            {"title": "Annual", "button": {"text": "Choose", "url": "/payment/annual"}, "price": {"campaignName": "web-annual", "divider": 12}},
            {"title": "Other", "button": {"text": "Choose", "url": "/payment/monthly"}, "price": {"campaignName": "gone", "couponCode": "WELCOME20"}},
        ]});
        let login = json!({"title": "Welcome", "status": "signUp"});
        vec![
            read("Hero", &hero, "hero-1"),
            read("PlanList", &plans, "plan-list-1"),
            read("LoginRegister", &login, "login"),
        ]
    }

    async fn navigation(&self) -> Navigation {
        Navigation::default()
    }

    async fn footer(&self) -> Footer {
        Footer::default()
    }
}

fn read(component: &str, props: &Value, id: &str) -> Block {
    blocks::parse(component, &props.to_string())
        .expect(component)
        .placed(id.to_owned(), Locale::Tr)
}

#[derive(Default)]
struct Prices {
    asked: Mutex<Vec<OfferKey>>,
    calls: AtomicUsize,
}

#[async_trait]
impl OfferSource for Prices {
    async fn offer(&self, key: &OfferKey) -> Option<Offer> {
        self.calls.fetch_add(1, Ordering::SeqCst);
        self.asked.lock().expect("no panic holds it").push(key.clone());
        let number = |text: &str| Decimal(text.parse().expect("a number"));
        (key.campaign == "web-annual").then(|| Offer {
            price_id: "prc_1".to_owned(),
            currency: "TRY".to_owned(),
            price: number("1199.99"),
            default_price: number("1799.9"),
            discount_amount: number("600"),
            discount_rate: 33,
            trial_days: 7,
            period_months: 12,
            product: "subscription".to_owned(),
            minor_price: 119_999,
            exponent: 2,
        })
    }
}

async fn ask(query: &str, prices: Option<Arc<Prices>>) -> Value {
    let mut schema = Schema::build(Query, EmptyMutation, EmptySubscription);
    if let Some(prices) = prices {
        schema = schema.data(prices as Arc<dyn OfferSource>);
    }
    let response = schema.finish().execute(query).await;
    assert!(response.errors.is_empty(), "{:?}", response.errors);
    response.data.into_json().expect("data is JSON")
}

#[tokio::test]
async fn every_block_answers_with_its_own_type() {
    let answer = ask(
        "{ sections { __typename id componentName ... on Hero { title buttons { url noFollow } } } }",
        None,
    )
    .await;
    assert_eq!(
        answer["sections"],
        json!([
            {"__typename": "Hero", "id": "hero-1", "componentName": "Hero", "title": "A quieter mind",
             "buttons": [{"url": "/signup", "noFollow": true}]},
            {"__typename": "PlanList", "id": "plan-list-1", "componentName": "PlanList"},
            {"__typename": "LoginRegister", "id": "login", "componentName": "LoginRegister"},
        ])
    );
}

#[tokio::test]
async fn an_enumeration_keeps_its_specified_spelling() {
    let answer = ask("{ sections { ... on LoginRegister { status } } }", None).await;
    assert_eq!(answer["sections"][2]["status"], "signUp");
}

#[tokio::test]
async fn a_price_is_exact_and_asked_for_the_locale_of_the_page() {
    let prices = Arc::new(Prices::default());
    let query = "{ sections { ... on PlanList { plans { price { divider offer { price defaultPrice minorPrice exponent currency } } } } } }";
    let answer = ask(query, Some(prices.clone())).await;
    let plans = &answer["sections"][1]["plans"];
    assert_eq!(plans[0]["price"]["offer"]["price"].to_string(), "1199.99");
    assert_eq!(plans[0]["price"]["offer"]["defaultPrice"].to_string(), "1799.9");
    assert_eq!(plans[0]["price"]["offer"]["minorPrice"], 119_999);
    assert_eq!(
        plans[1]["price"]["offer"],
        Value::Null,
        "an unknown campaign has no price"
    );
    let asked = prices.asked.lock().expect("no panic holds it");
    assert!(asked.iter().all(|key| key.locale == Locale::Tr));
    assert!(asked.iter().any(|key| key.coupon_code == "WELCOME20"));
}

#[tokio::test]
async fn prices_are_fetched_only_when_selected() {
    let prices = Arc::new(Prices::default());
    ask(
        "{ sections { ... on PlanList { plans { title } } } }",
        Some(prices.clone()),
    )
    .await;
    assert_eq!(prices.calls.load(Ordering::SeqCst), 0);
}

#[tokio::test]
async fn a_page_without_a_source_of_prices_is_still_a_page() {
    let answer = ask(
        "{ sections { ... on PlanList { plans { title price { offer { price } } } } } }",
        None,
    )
    .await;
    assert_eq!(
        answer["sections"][1]["plans"][0],
        json!({"title": "Annual", "price": {"offer": null}})
    );
}

#[test]
fn the_schema_names_fields_as_specified() {
    let sdl = Schema::new(Query, EmptyMutation, EmptySubscription).sdl();
    for part in [
        "interface Block {",
        "type Hero implements Block {",
        "scalar Decimal",
        "termsAndConditionsCheckbox: Boolean!",
        "appleGooglePayProductName: String",
        "mainPriceSuffix: String",
        "homePageLogo: Image",
        "isNavigationButtons: Boolean!",
        "termsAndPolicy: [Link!]!",
    ] {
        assert!(sdl.contains(part), "{part} is missing in\n{sdl}");
    }
}
