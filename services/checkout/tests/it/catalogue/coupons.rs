use std::collections::BTreeMap;
use std::time::Duration;

use chrono::TimeDelta;
use futures::StreamExt;
use kit::deadline;
use kit::error::{Failure, Kind};
use proto::checkout::v1::{CreateSubscriptionRequest, ResolveCampaignRequest, ResolveCampaignResponse};
use sqlx::Row;

use crate::privacy::erase_member::erase;
use crate::privacy::export_member::export;
use crate::support::campaign_files::Seeds;
use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS, DECLINED};
use crate::support::test_env::{MEMBER, TestEnv};

/// A hundred payments at once take a while on a small machine.
const TIMEOUT: Duration = Duration::from_mins(1);

const COUPONS: &str = "kind: coupons
coupons:
  - { code: WELCOME20, percent_off: 20 }
  - { code: HUNDRED, percent_off: 10, redemptions_max: 100 }
  - { code: LAST, percent_off: 10, redemptions_max: 1 }
  - { code: FIRST, percent_off: 15, redemptions_max: 2 }
  - { code: ONCE, percent_off: 10, member_max: 1 }
  - { code: OLD, percent_off: 10, valid_until: 2026-11-01T00:00:00Z }
  - { code: SOON, percent_off: 10, valid_from: 2026-11-21T12:00:00Z }
  - { code: GERMAN, percent_off: 10, countries: [DE] }
  - { code: ELSEWHERE, percent_off: 10 }
";

async fn env() -> TestEnv {
    let seeds = Seeds::shipped();
    seeds.write("coupons.yaml", COUPONS);
    let coupons = "coupons: [WELCOME20, HUNDRED, FIRST, LAST, ONCE, OLD, SOON, GERMAN]";
    seeds.change("web-monthly.yaml", "coupons: [WELCOME20]", coupons);
    TestEnv::start_with([("CHECKOUT_SEED_DIR", seeds.path())]).await
}

fn member(number: usize) -> String {
    format!("usr_{number:032x}")
}

async fn resolve(env: &TestEnv, coupon_code: &str, user_id: &str) -> Result<ResolveCampaignResponse, String> {
    let request = ResolveCampaignRequest {
        campaign: "web-monthly".into(),
        coupon_code: coupon_code.into(),
        language: "tr".into(),
        country: "TR".into(),
        user_id: user_id.into(),
        ..Default::default()
    };
    let answered = env.checkout.clone().resolve_campaign(request).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status).code)
}

/// What the member's page sends for the offer it was shown.
fn submit(shown: &ResolveCampaignResponse, user_id: &str, card: String) -> CreateSubscriptionRequest {
    let offer = shown.offer.clone().unwrap();
    CreateSubscriptionRequest {
        user_id: user_id.into(),
        email: format!("{user_id}@example.com"),
        full_name: "A Buyer".into(),
        price_id: offer.price_id,
        coupon_code: offer.coupon_code,
        quote: shown.quote.clone(),
        payment_method_id: card,
        country: "TR".into(),
        language: "tr".into(),
        ..Default::default()
    }
}

async fn buy(env: &TestEnv, coupon_code: &str, user_id: &str, number: &str) -> Result<(), String> {
    let shown = resolve(env, coupon_code, user_id).await?;
    let card = env.fake_provider.card(number).await;
    let bought = env.pay(submit(&shown, user_id, card)).await;
    bought.map(drop).map_err(|failure| failure.code)
}

/// As the page does, which sends again what could not be answered.
async fn insist(env: &TestEnv, submit: CreateSubscriptionRequest) -> String {
    loop {
        let bought = deadline::within(TIMEOUT, env.pay(submit.clone())).await;
        match bought.unwrap() {
            Ok(_) => return "sold".to_owned(),
            Err(failure) if failure.kind == Kind::Unavailable => {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            Err(failure) => return failure.code,
        }
    }
}

/// The claim count in the coupon's row, and its claims by state.
async fn claims_of(env: &TestEnv, code: &str) -> (i32, BTreeMap<String, i64>) {
    let pool = env.pool().await;
    let taken = sqlx::query_scalar("select claimed_count from coupon where code = $1")
        .bind(code)
        .fetch_one(&pool)
        .await
        .unwrap();
    let rows = sqlx::query("select state, count(*) from coupon_claim where code = $1 group by state")
        .bind(code)
        .fetch_all(&pool)
        .await
        .unwrap();
    (taken, rows.iter().map(|row| (row.get(0), row.get(1))).collect())
}

fn states<const N: usize>(pairs: [(&str, i64); N]) -> BTreeMap<String, i64> {
    pairs.map(|(state, number)| (state.to_owned(), number)).into()
}

async fn until_claims(env: &TestEnv, code: &str, count: i32, states: BTreeMap<String, i64>) {
    let wanted = (count, states);
    let reached = tokio::time::timeout(TIMEOUT, async {
        while claims_of(env, code).await != wanted {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    assert!(reached.await.is_ok(), "{:?}", claims_of(env, code).await);
}

#[tokio::test]
async fn each_reason_against_a_coupon_has_its_own_code() {
    let env = env().await;
    for (coupon, code) in [
        ("NEVER", "UNKNOWN_COUPON"),
        ("ELSEWHERE", "COUPON_OTHER_CAMPAIGN"),
        ("OLD", "COUPON_EXPIRED"),
        ("SOON", "COUPON_NOT_ACTIVE"),
        ("GERMAN", "COUPON_OTHER_COUNTRY"),
    ] {
        assert_eq!(resolve(&env, coupon, MEMBER).await.unwrap_err(), code, "{coupon}");
    }
    env.advance(TimeDelta::days(1)).await;
    assert!(resolve(&env, "SOON", MEMBER).await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn five_hundred_buyers_of_a_code_for_a_hundred_are_exactly_a_hundred() {
    let env = env().await;
    let shown = resolve(&env, "HUNDRED", "").await.unwrap();
    let mut submits = Vec::new();
    for number in 0..500 {
        let card = env.fake_provider.card(APPROVED).await;
        submits.push(submit(&shown, &member(number), card));
    }
    let outcomes: Vec<String> = futures::stream::iter(submits)
        .map(|submit| insist(&env, submit))
        .buffer_unordered(500)
        .collect()
        .await;

    let mut counted = BTreeMap::new();
    for outcome in outcomes {
        *counted.entry(outcome).or_insert(0) += 1;
    }
    assert_eq!(counted, states([("sold", 100), ("COUPON_EXHAUSTED", 400)]));
    // Some payments may be in flight: only their coupons are reserved.
    let (taken, claims) = claims_of(&env, "HUNDRED").await;
    assert_eq!((taken, claims.values().sum::<i64>()), (100, 100));
    assert!(!claims.contains_key("released"), "{claims:?}");
    assert_eq!(
        resolve(&env, "HUNDRED", "").await.unwrap_err(),
        "COUPON_EXHAUSTED"
    );

    // A payment with a lost response is resolved later, well before its coupon would be released.
    for _ in 0..60 {
        if claims_of(&env, "HUNDRED").await.1 == states([("redeemed", 100)]) {
            break;
        }
        env.advance(TimeDelta::seconds(20)).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(
        claims_of(&env, "HUNDRED").await,
        (100, states([("redeemed", 100)]))
    );
    assert_eq!(env.fake_provider.captured_charges().await.len(), 100);
    env.check_ledger().await;
}

#[tokio::test]
async fn member_uses_a_coupon_of_one_each_once() {
    let env = env().await;
    buy(&env, "ONCE", MEMBER, APPROVED).await.unwrap();
    assert_eq!(
        resolve(&env, "ONCE", MEMBER).await.unwrap_err(),
        "COUPON_ALREADY_USED"
    );
    assert!(resolve(&env, "ONCE", &member(1)).await.is_ok());
    assert_eq!(claims_of(&env, "ONCE").await, (0, states([("redeemed", 1)])));
}

#[tokio::test]
async fn declined_buyer_keeps_the_last_coupon_for_another_card() {
    let env = env().await;
    assert_eq!(
        buy(&env, "LAST", MEMBER, DECLINED).await.unwrap_err(),
        "card_declined"
    );
    assert_eq!(claims_of(&env, "LAST").await, (1, states([("reserved", 1)])));
    assert_eq!(
        resolve(&env, "LAST", &member(1)).await.unwrap_err(),
        "COUPON_EXHAUSTED"
    );

    buy(&env, "LAST", MEMBER, APPROVED).await.unwrap();
    assert_eq!(claims_of(&env, "LAST").await, (1, states([("redeemed", 1)])));
    env.check_ledger().await;
}

#[tokio::test]
async fn another_price_releases_the_coupon_at_once() {
    let env = env().await;
    buy(&env, "LAST", MEMBER, DECLINED).await.unwrap_err();
    buy(&env, "", MEMBER, APPROVED).await.unwrap();
    assert_eq!(claims_of(&env, "LAST").await, (0, states([("released", 1)])));
    buy(&env, "LAST", &member(1), APPROVED).await.unwrap();
    env.check_ledger().await;
}

/// Each gives back what the other takes, at the same moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_members_swap_two_coupons_crosswise() {
    let env = env().await;
    let swaps = [
        (MEMBER.to_owned(), "FIRST", "HUNDRED"),
        (member(1), "HUNDRED", "FIRST"),
    ];
    let mut submits = Vec::new();
    for (who, held, wanted) in &swaps {
        buy(&env, held, who, DECLINED).await.unwrap_err();
        let shown = resolve(&env, wanted, who).await.unwrap();
        submits.push(submit(&shown, who, env.fake_provider.card(APPROVED).await));
    }
    // Both are on their way before either can get on.
    let pool = env.pool().await;
    let mut held_up = kit::database::begin(&pool).await.unwrap();
    sqlx::query("select 1 from coupon for update")
        .execute(&mut *held_up)
        .await
        .unwrap();
    let let_on = async {
        let waiting = "select count(*) from pg_stat_activity
            where datname = current_database() and wait_event_type = 'Lock'";
        loop {
            let count: i64 = sqlx::query_scalar(waiting).fetch_one(&pool).await.unwrap();
            if count == 2 {
                return held_up.rollback().await.unwrap();
            }
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    let second = submits.pop().unwrap();
    let first = submits.pop().unwrap();
    let (one, other, ()) = tokio::join!(env.pay(first), env.pay(second), let_on);
    for paid in [one, other] {
        assert_eq!(paid.unwrap().payment_status, "succeeded");
    }
    for code in ["FIRST", "HUNDRED"] {
        until_claims(&env, code, 1, states([("redeemed", 1), ("released", 1)])).await;
    }
    env.check_ledger().await;
}

#[tokio::test]
async fn coupon_of_an_unpaid_order_is_released_and_its_old_page_cannot_pay() {
    let env = env().await;
    let shown = resolve(&env, "LAST", MEMBER).await.unwrap();
    let card = env.fake_provider.card(ASKS_FOR_3DS).await;
    let waiting = env.pay(submit(&shown, MEMBER, card)).await.unwrap();
    assert_eq!(waiting.payment_status, "requires_action");

    env.advance(TimeDelta::minutes(31)).await;
    until_claims(&env, "LAST", 0, states([("released", 1)])).await;

    buy(&env, "LAST", &member(1), APPROVED).await.unwrap();
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn erased_members_unpaid_order_releases_its_coupon() {
    let env = env().await;
    buy(&env, "LAST", MEMBER, DECLINED).await.unwrap_err();
    erase(&env).await;
    assert_eq!(claims_of(&env, "LAST").await, (0, states([("released", 1)])));
}

#[tokio::test]
async fn export_names_the_coupon_used() {
    let env = env().await;
    buy(&env, "ONCE", MEMBER, APPROVED).await.unwrap();
    assert_eq!(export(&env, MEMBER).await.orders[0].coupon_code, "ONCE");
}

#[tokio::test]
async fn new_coupon_limit_counts_earlier_claims() {
    let seeds = Seeds::shipped();
    let env = TestEnv::start_with([("CHECKOUT_SEED_DIR", seeds.path())]).await;
    buy(&env, "WELCOME20", MEMBER, APPROVED).await.unwrap();
    seeds.change(
        "coupons.yaml",
        "percent_off: 20",
        "percent_off: 20\n    redemptions_max: 1",
    );
    env.host.run(checkout::definition()).await;
    assert_eq!(
        resolve(&env, "WELCOME20", &member(1)).await.unwrap_err(),
        "COUPON_EXHAUSTED"
    );
}
