//! Random pages and random queries: resolvers and plan return the same bytes.
mod pages;
mod queries;

use std::collections::{BTreeSet, HashMap};
use std::sync::Arc;

use async_graphql::{EmptyMutation, EmptySubscription, Object, Request, Schema};
use async_trait::async_trait;
use blocks::{Decimal, Locale, Offer, OfferKey, OfferSource};
use proto::content::v1::GetPageResponse;
use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::json;

use crate::graphql::document;
use crate::graphql::offers::written;
use crate::graphql::page;
use crate::graphql::page::Page;
use crate::graphql::plan::project::ResponseWriter;
use crate::graphql::plan::{Operation, Types, Variables, compile, run};

const CASES: u64 = 250;

struct Query(GetPageResponse);

#[Object]
impl Query {
    async fn page(&self, url_path: String, locale: String) -> Option<Page> {
        let page = self.0.page.clone().filter(|page| page.url_path == url_path)?;
        Some(page::read(page, locale.parse().ok()?))
    }
}

struct Prices;

fn offer(key: &OfferKey) -> Option<Offer> {
    let minor_price = i64::try_from(key.campaign.len()).unwrap() * 100 + 99;
    let decimal = |text: &str| Decimal(serde_json::from_str(text).unwrap());
    (!key.campaign.contains('"')).then(|| Offer {
        price_id: format!("prc_{}", key.coupon_code),
        currency: key.locale.code().to_uppercase(),
        price: decimal("959.20"),
        default_price: decimal("1199"),
        discount_amount: decimal("0"),
        discount_rate: 20,
        trial_days: 7,
        period_months: 12,
        product: "premium".into(),
        minor_price,
        exponent: 2,
    })
}

#[async_trait]
impl OfferSource for Prices {
    async fn offer(&self, key: &OfferKey) -> Option<Offer> {
        offer(key)
    }
}

fn variables() -> Variables {
    let variables = json!({"path": "/a", "locale": "tr", "yes": true, "no": false});
    variables.as_object().unwrap().clone()
}

/// `None` if validation rejects the query, which happens with random queries.
async fn by_resolvers(answer: &GetPageResponse, query: &str) -> Option<String> {
    let schema = Schema::build(Query(answer.clone()), EmptyMutation, EmptySubscription)
        .data::<Arc<dyn OfferSource>>(Arc::new(Prices))
        .finish();
    let variables = async_graphql::Variables::from_json(variables().into());
    let answer = schema.execute(Request::new(query).variables(variables)).await;
    if answer.is_err() {
        return None;
    }
    Some(serde_json::to_string(&answer).unwrap())
}

fn by_plan(types: &Types, answer: &GetPageResponse, query: &str) -> Option<String> {
    let (document, variables) = (document::read(query).unwrap(), variables());
    let plan = compile(types, &Operation::chosen(&document, None, &variables)?)?;
    assert!(plan.variables.iter().all(|rule| rule.is_met(&variables)));
    let root = &plan.roots[0];
    let mut draft = ResponseWriter::default();
    draft.text.push_str("{\"data\":{");
    draft.text.push_str(&root.key);
    run::page(&mut draft, answer, root.kind.as_ref()?, Locale::Tr)?;
    draft.text.push_str("}}");
    let known: HashMap<_, _> = draft
        .prices
        .iter()
        .map(|price| (price.key.clone(), offer(&price.key).as_ref().map(written)))
        .collect();
    draft.with_prices(&known)
}

#[tokio::test]
async fn plan_answers_what_the_resolvers_answer() {
    let sdl = Schema::build(
        Query(GetPageResponse::default()),
        EmptyMutation,
        EmptySubscription,
    )
    .finish()
    .sdl();
    let types = Types::of(&sdl);
    let (mut asked, mut planned, mut priced) = (0, 0, 0);
    let mut seen = BTreeSet::new();
    for seed in 0..CASES {
        let mut rng = Rng(StdRng::seed_from_u64(seed));
        let components = rng.some_of(blocks::COMPONENTS, 6);
        let answer = pages::random(&mut rng, &components);
        let query = queries::random(&mut rng, &types, &components);
        let Some(expected) = by_resolvers(&answer, &query).await else {
            continue;
        };
        asked += 1;
        let Some(answered) = by_plan(&types, &answer, &query) else {
            continue;
        };
        planned += 1;
        priced += u32::from(answered.contains("prc_"));
        assert_eq!(answered, expected, "seed {seed}: {query}");
        seen.extend(components);
    }
    assert!(asked > CASES / 2, "only {asked} queries are allowed");
    assert!(
        planned * 10 > asked * 9,
        "{planned} of {asked} queries are planned"
    );
    assert!(priced > 10, "{priced} answers have prices");
    let missed: Vec<_> = blocks::COMPONENTS
        .iter()
        .filter(|name| !seen.contains(*name))
        .collect();
    assert!(missed.is_empty(), "never planned: {missed:?}");
}

/// Absent values are null, so nullable fields have no other default.
#[test]
fn what_may_be_absent_is_null_when_it_is() {
    for name in blocks::COMPONENTS {
        let props = blocks::parse(name, "{}").unwrap().to_props().unwrap();
        let nothing = serde_json::to_value(blocks::schema(name).unwrap()).unwrap();
        for (field, schema) in nothing["properties"].as_object().into_iter().flatten() {
            let may_be_null = schema.to_string().contains("\"null\"");
            assert!(!may_be_null || props[field].is_null(), "{name}.{field}");
        }
    }
}

struct Rng(StdRng);

impl Rng {
    fn below(&mut self, end: usize) -> usize {
        self.0.random_range(0..end)
    }

    /// True with a probability of one in `times`.
    fn once_in(&mut self, times: usize) -> bool {
        self.below(times) == 0
    }

    fn one_of<'a, T>(&mut self, all: &'a [T]) -> &'a T {
        &all[self.below(all.len())]
    }

    fn some_of(&mut self, all: &[&'static str], count: usize) -> Vec<&'static str> {
        (0..count).map(|_| *self.one_of(all)).collect()
    }
}
