use std::collections::BTreeMap;
use std::time::Duration;

use chrono::TimeDelta;
use futures::StreamExt;
use kit::deadline;
use kit::error::{Failure, Kind};
use proto::checkout::v1::{CreateSubscriptionRequest, ResolveCampaignRequest, ResolveCampaignResponse};
use sqlx::Row;

use crate::erase_member::{erase, export};
use crate::seeds::Seeds;
use crate::twin::{APPROVED, ASKS_FOR_3DS, DECLINED};
use crate::world::{MEMBER, World};

/// A hundred payments at once take a while on a small machine.
const PATIENCE: Duration = Duration::from_mins(1);

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

async fn world() -> World {
    let seeds = Seeds::shipped();
    seeds.write("coupons.yaml", COUPONS);
    let coupons = "coupons: [WELCOME20, HUNDRED, FIRST, LAST, ONCE, OLD, SOON, GERMAN]";
    seeds.change("web-monthly.yaml", "coupons: [WELCOME20]", coupons);
    World::start_with([("CHECKOUT_SEED_DIR", seeds.path())]).await
}

fn member(number: usize) -> String {
    format!("usr_{number:032x}")
}

async fn resolve(world: &World, coupon_code: &str, user_id: &str) -> Result<ResolveCampaignResponse, String> {
    let request = ResolveCampaignRequest {
        campaign: "web-monthly".into(),
        coupon_code: coupon_code.into(),
        language: "tr".into(),
        country: "TR".into(),
        user_id: user_id.into(),
        ..Default::default()
    };
    let answered = world.checkout.clone().resolve_campaign(request).await;
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

async fn buy(world: &World, coupon_code: &str, user_id: &str, number: &str) -> Result<(), String> {
    let shown = resolve(world, coupon_code, user_id).await?;
    let card = world.twin.card(number).await;
    let bought = world.pay(submit(&shown, user_id, card)).await;
    bought.map(drop).map_err(|failure| failure.code)
}

/// As the page does, which sends again what could not be answered.
async fn insist(world: &World, submit: CreateSubscriptionRequest) -> String {
    loop {
        let bought = deadline::within(PATIENCE, world.pay(submit.clone())).await;
        match bought.unwrap() {
            Ok(_) => return "sold".to_owned(),
            Err(failure) if failure.kind == Kind::Unavailable => {
                tokio::time::sleep(Duration::from_millis(100)).await;
            }
            Err(failure) => return failure.code,
        }
    }
}

/// Of a coupon: how many its row counts, and its claims by state.
async fn standing(world: &World, code: &str) -> (i32, BTreeMap<String, i64>) {
    let pool = world.pool().await;
    let taken = sqlx::query_scalar("select taken from coupon where code = $1")
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

async fn until_standing(world: &World, code: &str, wanted: (i32, BTreeMap<String, i64>)) {
    let reached = tokio::time::timeout(PATIENCE, async {
        while standing(world, code).await != wanted {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    });
    assert!(reached.await.is_ok(), "{:?}", standing(world, code).await);
}

#[tokio::test]
async fn each_reason_against_a_coupon_has_its_own_code() {
    let world = world().await;
    for (coupon, code) in [
        ("NEVER", "UNKNOWN_COUPON"),
        ("ELSEWHERE", "COUPON_OTHER_CAMPAIGN"),
        ("OLD", "COUPON_EXPIRED"),
        ("SOON", "COUPON_NOT_ACTIVE"),
        ("GERMAN", "COUPON_OTHER_COUNTRY"),
    ] {
        assert_eq!(
            resolve(&world, coupon, MEMBER).await.unwrap_err(),
            code,
            "{coupon}"
        );
    }
    world.advance(TimeDelta::days(1)).await;
    assert!(resolve(&world, "SOON", MEMBER).await.is_ok());
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn five_hundred_buyers_of_a_code_for_a_hundred_are_exactly_a_hundred() {
    let world = world().await;
    let shown = resolve(&world, "HUNDRED", "").await.unwrap();
    let mut submits = Vec::new();
    for number in 0..500 {
        let card = world.twin.card(APPROVED).await;
        submits.push(submit(&shown, &member(number), card));
    }
    let outcomes: Vec<String> = futures::stream::iter(submits)
        .map(|submit| insist(&world, submit))
        .buffer_unordered(500)
        .collect()
        .await;

    let mut counted = BTreeMap::new();
    for outcome in outcomes {
        *counted.entry(outcome).or_insert(0) += 1;
    }
    assert_eq!(counted, states([("sold", 100), ("COUPON_EXHAUSTED", 400)]));
    // Some of the payments may still be on their way: those coupons are held, and nobody else's.
    let (taken, claims) = standing(&world, "HUNDRED").await;
    assert_eq!((taken, claims.values().sum::<i64>()), (100, 100));
    assert!(!claims.contains_key("released"), "{claims:?}");
    assert_eq!(
        resolve(&world, "HUNDRED", "").await.unwrap_err(),
        "COUPON_EXHAUSTED"
    );

    // A payment whose answer got lost in the crowd is looked for later, well before its coupon would be let go.
    for _ in 0..60 {
        if standing(&world, "HUNDRED").await.1 == states([("redeemed", 100)]) {
            break;
        }
        world.advance(TimeDelta::seconds(20)).await;
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    assert_eq!(
        standing(&world, "HUNDRED").await,
        (100, states([("redeemed", 100)]))
    );
    assert_eq!(world.twin.captured_charges().await.len(), 100);
    world.check_books().await;
}

#[tokio::test]
async fn member_uses_a_coupon_of_one_each_once() {
    let world = world().await;
    buy(&world, "ONCE", MEMBER, APPROVED).await.unwrap();
    assert_eq!(
        resolve(&world, "ONCE", MEMBER).await.unwrap_err(),
        "COUPON_ALREADY_USED"
    );
    assert!(resolve(&world, "ONCE", &member(1)).await.is_ok());
    assert_eq!(standing(&world, "ONCE").await, (0, states([("redeemed", 1)])));
}

#[tokio::test]
async fn declined_buyer_keeps_the_last_coupon_for_another_card() {
    let world = world().await;
    assert_eq!(
        buy(&world, "LAST", MEMBER, DECLINED).await.unwrap_err(),
        "card_declined"
    );
    assert_eq!(standing(&world, "LAST").await, (1, states([("held", 1)])));
    assert_eq!(
        resolve(&world, "LAST", &member(1)).await.unwrap_err(),
        "COUPON_EXHAUSTED"
    );

    buy(&world, "LAST", MEMBER, APPROVED).await.unwrap();
    assert_eq!(standing(&world, "LAST").await, (1, states([("redeemed", 1)])));
    world.check_books().await;
}

#[tokio::test]
async fn another_price_gives_the_coupon_back_at_once() {
    let world = world().await;
    buy(&world, "LAST", MEMBER, DECLINED).await.unwrap_err();
    buy(&world, "", MEMBER, APPROVED).await.unwrap();
    assert_eq!(standing(&world, "LAST").await, (0, states([("released", 1)])));
    buy(&world, "LAST", &member(1), APPROVED).await.unwrap();
    world.check_books().await;
}

/// Each gives back what the other takes, at the same moment.
#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn two_members_swap_two_coupons_crosswise() {
    let world = world().await;
    let swaps = [
        (MEMBER.to_owned(), "FIRST", "HUNDRED"),
        (member(1), "HUNDRED", "FIRST"),
    ];
    let mut submits = Vec::new();
    for (who, held, wanted) in &swaps {
        buy(&world, held, who, DECLINED).await.unwrap_err();
        let shown = resolve(&world, wanted, who).await.unwrap();
        submits.push(submit(&shown, who, world.twin.card(APPROVED).await));
    }
    // Both are on their way before either can get on.
    let pool = world.pool().await;
    let mut held_up = pool.begin().await.unwrap();
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
    let (one, other, ()) = tokio::join!(world.pay(first), world.pay(second), let_on);
    for paid in [one, other] {
        assert_eq!(paid.unwrap().payment_status, "succeeded");
    }
    for code in ["FIRST", "HUNDRED"] {
        until_standing(&world, code, (1, states([("redeemed", 1), ("released", 1)]))).await;
    }
    world.check_books().await;
}

#[tokio::test]
async fn coupon_of_an_order_nobody_pays_goes_to_the_next_and_the_old_page_cannot_pay_any_more() {
    let world = world().await;
    let shown = resolve(&world, "LAST", MEMBER).await.unwrap();
    let card = world.twin.card(ASKS_FOR_3DS).await;
    let waiting = world.pay(submit(&shown, MEMBER, card)).await.unwrap();
    assert_eq!(waiting.payment_status, "requires_action");

    world.advance(TimeDelta::minutes(31)).await;
    until_standing(&world, "LAST", (0, states([("released", 1)]))).await;

    buy(&world, "LAST", &member(1), APPROVED).await.unwrap();
    assert_eq!(world.twin.captured_charges().await.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn erased_members_unpaid_order_gives_its_coupon_back() {
    let world = world().await;
    buy(&world, "LAST", MEMBER, DECLINED).await.unwrap_err();
    erase(&world).await;
    assert_eq!(standing(&world, "LAST").await, (0, states([("released", 1)])));
}

#[tokio::test]
async fn member_is_told_which_coupon_they_bought_with() {
    let world = world().await;
    buy(&world, "ONCE", MEMBER, APPROVED).await.unwrap();
    assert_eq!(export(&world, MEMBER).await.orders[0].coupon_code, "ONCE");
}

#[tokio::test]
async fn limit_that_comes_later_counts_those_who_were_earlier() {
    let seeds = Seeds::shipped();
    let world = World::start_with([("CHECKOUT_SEED_DIR", seeds.path())]).await;
    buy(&world, "WELCOME20", MEMBER, APPROVED).await.unwrap();
    seeds.change(
        "coupons.yaml",
        "percent_off: 20",
        "percent_off: 20\n    redemptions_max: 1",
    );
    world.host.run(checkout::definition()).await;
    assert_eq!(
        resolve(&world, "WELCOME20", &member(1)).await.unwrap_err(),
        "COUPON_EXHAUSTED"
    );
}
