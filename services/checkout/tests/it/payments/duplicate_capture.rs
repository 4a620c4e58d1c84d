use std::time::Duration;

use chrono::TimeDelta;
use sandbox::Action;
use serde_json::Value;

use crate::support::subscription_probe::{A_MINUTE, within};
use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::test_env::{MEMBER, World};

const LATER: TimeDelta = TimeDelta::minutes(5);

/// The first attempt was thought to be closed and was charged after all; another card had paid by then. What Stripe tells.
async fn captured_twice(world: &World) -> Vec<Value> {
    let asked = world.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    think_closed(world).await;
    let bought = world.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(bought.payment_status, "succeeded");
    world
        .twin
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    assert_eq!(world.twin.captured_charges().await.len(), 2);
    world.twin.events().await
}

async fn think_closed(world: &World) {
    sqlx::query("update payment set state = 'canceled', client_secret = null")
        .execute(&world.pool().await)
        .await
        .unwrap();
}

async fn is_given_back(world: &World) -> bool {
    let accounts = world.accounts().await;
    let mut refunds = accounts.iter().flat_map(|account| &account.refunds);
    refunds
        .next()
        .is_some_and(|refund| refund.state.name() == "succeeded")
}

async fn until_given_back(world: &World) {
    let waiting = async {
        while !is_given_back(world).await {
            tokio::time::sleep(Duration::from_millis(200)).await;
            world.advance(LATER).await;
        }
    };
    let in_time = tokio::time::timeout(Duration::from_secs(20), waiting).await;
    assert!(in_time.is_ok(), "{:?}", world.accounts().await);
}

/// However it went: one charge is kept with the access it bought, the other went back once and is charged no more.
async fn check_kept_once(world: &World) {
    let refunds = world.twin.list("refunds?limit=100").await;
    let price = world.accounts().await[0].order.amount.minor;
    assert_eq!(refunds.len(), 1);
    assert_eq!(
        (refunds[0]["amount"].as_i64(), refunds[0]["reason"].as_str()),
        (Some(price), Some("duplicate"))
    );
    assert_eq!(world.subscriptions().await[0].status, "active");
    let mut statuses: Vec<String> = world
        .twin
        .subscriptions()
        .await
        .iter()
        .map(|subscription| subscription["status"].as_str().unwrap().to_owned())
        .collect();
    statuses.sort();
    assert_eq!(statuses, ["active", "canceled"]);

    let events = world.events("refund.succeeded", 1).await;
    assert_eq!(events[0].data["reason"], "surplus");
    assert_eq!(events[0].data["userId"], MEMBER);
    assert_eq!(world.events("order.paid", 1).await.len(), 1);
    assert_eq!(world.events("subscription.activated", 1).await.len(), 1);
    let owed: Option<i64> =
        sqlx::query_scalar("select sum(amount_minor)::bigint from ledger_entry where account = 'suspense'")
            .fetch_one(&world.pool().await)
            .await
            .unwrap();
    assert_eq!(owed, Some(0));
    world.check_books().await;
}

#[tokio::test]
async fn second_capture_goes_back_by_itself() {
    let world = World::start().await;
    for event in captured_twice(&world).await {
        world.deliver(&event).await;
    }
    until_given_back(&world).await;
    check_kept_once(&world).await;
}

#[tokio::test]
async fn it_goes_back_once_however_often_and_in_which_order_it_is_told() {
    let world = World::start().await;
    let mut told = captured_twice(&world).await;
    told.reverse();
    for event in &told {
        world.deliver(event).await;
    }
    until_given_back(&world).await;
    // The end of the surplus subscription and the refund itself are told as well.
    for event in world.twin.events().await {
        world.deliver(&event).await;
    }
    world.advance(LATER).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    check_kept_once(&world).await;
}

#[tokio::test]
async fn lost_answers_give_nothing_back_twice() {
    for (method, path) in [
        ("POST", "refunds"),
        ("DELETE", "subscriptions/*"),
        ("GET", "refunds*"),
    ] {
        let world = World::start().await;
        let told = captured_twice(&world).await;
        world.twin.sabotage(method, path, Action::DropAfterCommit {});
        for event in told {
            world.deliver(&event).await;
        }
        within(&world, A_MINUTE, async || is_given_back(&world).await).await;
        assert!(world.twin.is_sabotaging(), "{method} {path} is never called");
        check_kept_once(&world).await;
    }
}

#[tokio::test]
async fn attempt_that_went_astray_is_not_sent_again_once_another_has_paid() {
    let world = World::start().await;
    let asked = world.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    think_closed(&world).await;
    world
        .twin
        .sabotage("POST", "subscriptions", Action::DropBefore {});
    let lost = world.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(lost.payment_status, "processing");
    world
        .twin
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    for event in world.twin.events().await {
        world.deliver(&event).await;
    }
    assert_eq!(world.subscriptions().await[0].status, "active");
    for _ in 0..5 {
        world.advance(LATER).await;
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    assert_eq!(world.twin.captured_charges().await.len(), 1);
    world.check_books().await;
}
