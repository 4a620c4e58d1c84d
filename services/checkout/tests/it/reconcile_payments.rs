use std::time::Duration;

use chrono::TimeDelta;
use sandbox::Action;

use crate::twin::{APPROVED, ASKS_FOR_3DS};
use crate::world::World;

const LATER: TimeDelta = TimeDelta::minutes(5);

/// The buyer hears "processing", and the truth is found out within a minute.
async fn check_settled_later(path: &str, action: Action) {
    let world = World::start().await;
    world.twin.sabotage("POST", path, action);
    let answer = world.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(answer.payment_status, "processing");
    assert_eq!(answer.subscription.unwrap().status, "incomplete");

    world.advance(TimeDelta::minutes(1)).await;
    world.until_status("active").await;
    assert_eq!(world.twin.captured_charges().await.len(), 1);
    assert_eq!(world.events("order.paid", 1).await.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn answer_lost_after_the_charge_charges_once() {
    check_settled_later("subscriptions", Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn request_lost_on_the_way_is_sent_again() {
    check_settled_later("subscriptions", Action::DropBefore {}).await;
}

#[tokio::test]
async fn customer_whose_answer_was_lost_is_not_made_twice() {
    check_settled_later("customers", Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn card_whose_answer_was_lost_is_attached_again() {
    check_settled_later("payment_methods/*/attach", Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn failure_that_stripe_did_not_keep_is_tried_again() {
    check_settled_later(
        "subscriptions",
        Action::Error {
            status: 500,
            body: None,
            kept: Some(false),
        },
    )
    .await;
}

#[tokio::test]
async fn failure_that_stripe_kept_ends_when_its_keys_have_expired() {
    let world = World::start().await;
    world.twin.sabotage(
        "POST",
        "subscriptions",
        Action::Error {
            status: 500,
            body: None,
            kept: None,
        },
    );
    let card = world.twin.card(APPROVED).await;
    let submit = world.submit("web-monthly", &card).await;
    assert_eq!(
        world.pay(submit.clone()).await.unwrap().payment_status,
        "processing"
    );

    world.advance(LATER).await;
    world.advance(TimeDelta::hours(25)).await;
    let until_free = async {
        while world.pay(submit.clone()).await.unwrap().payment_status != "succeeded" {
            world.advance(LATER).await;
        }
    };
    tokio::time::timeout(Duration::from_secs(30), until_free)
        .await
        .unwrap();
    assert_eq!(world.twin.captured_charges().await.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn slow_provider_is_answered_for_and_settled() {
    let world = World::start_with([("CHECKOUT_RESPONSE_BUDGET_MS", "200")]).await;
    world
        .twin
        .sabotage("POST", "subscriptions", Action::DelayAfterCommit { ms: 1000 });
    let answer = world.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(answer.payment_status, "processing");
    world.until_status("active").await;
    world.check_books().await;
}

#[tokio::test]
async fn authentication_nobody_told_us_of_is_found_out() {
    let world = World::start().await;
    let asked = world.buy("web-monthly", ASKS_FOR_3DS).await.unwrap();
    world
        .twin
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    world.advance(LATER).await;
    world.until_status("active").await;
    world.check_books().await;
}

#[tokio::test]
async fn authentication_that_never_comes_expires_and_the_card_can_be_used_again() {
    let world = World::start().await;
    let card = world.twin.card(ASKS_FOR_3DS).await;
    let submit = world.submit("web-monthly", &card).await;
    let first = world.pay(submit.clone()).await.unwrap();
    world.advance(TimeDelta::hours(24)).await;
    let again = async {
        loop {
            let answer = world.pay(submit.clone()).await.unwrap();
            if answer.client_secret != first.client_secret {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    };
    let again = tokio::time::timeout(Duration::from_secs(10), again)
        .await
        .unwrap();
    assert_eq!(again.payment_status, "requires_action");
    world.check_books().await;
}

/// Whoever settles holds the order, then its payment, then its subscription: the round that takes what is due must not come
/// to them from the other end.
#[tokio::test]
async fn what_is_being_settled_is_left_to_whoever_does_it() {
    let world = World::start_with([("CHECKOUT_RESPONSE_BUDGET_MS", "200")]).await;
    let slow = Action::DelayAfterCommit { ms: 2500 };
    world.twin.sabotage("POST", "subscriptions", slow);
    world.buy("web-monthly", APPROVED).await.unwrap();

    let pool = world.pool().await;
    let mut settling = pool.begin().await.unwrap();
    let locked = "with held as (select order_id from orders for update)
        update payment set created_at = created_at from held where payment.order_id = held.order_id and state = 'intended'";
    let locked = sqlx::query(locked).execute(&mut *settling).await.unwrap();
    assert_eq!(locked.rows_affected(), 1);
    let due = "update subscription set next_check_at = 'epoch'";
    sqlx::query(due).execute(&pool).await.unwrap();
    // Time enough for ten rounds, and for one that waits for this transaction to have looked for a deadlock and found none.
    tokio::time::sleep(Duration::from_millis(1500)).await;
    // A round may hold the subscription for the moment of its look; one that waits meanwhile makes this a deadlock, told here.
    let at_once = sqlx::query("set local deadlock_timeout = '50ms'");
    at_once.execute(&mut *settling).await.unwrap();
    let subscription = sqlx::query("select from subscription for update");
    subscription.execute(&mut *settling).await.unwrap();
    settling.commit().await.unwrap();
    world.until_status("active").await;
    world.check_books().await;
}
