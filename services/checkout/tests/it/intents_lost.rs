//! Answers of Stripe that never came, for what is paid once: definite within a minute, and charged once.

use chrono::TimeDelta;
use proto::checkout::v1::create_intent_request::Purpose;
use sandbox::Action;

use crate::intents::{deliver_all, open, pay, wanted, wanted_by_guest};
use crate::twin::APPROVED;
use crate::world::World;

const WITHIN: TimeDelta = TimeDelta::seconds(59);

async fn until_opened(world: &World) {
    let pool = world.pool().await;
    let reached = tokio::time::timeout(std::time::Duration::from_secs(10), async {
        let known = "select count(*) from payment where provider_intent_id is not null";
        while sqlx::query_scalar::<_, i64>(known)
            .fetch_one(&pool)
            .await
            .unwrap()
            == 0
        {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    assert!(reached.await.is_ok(), "still unknown");
}

/// The buyer hears that it takes longer, asks again, and pays what was opened first.
async fn check_opened_once(action: Action) {
    let world = World::start().await;
    let request = wanted(&world, Purpose::OneTime, "live-program").await;
    world.twin.sabotage("POST", "payment_intents", action);
    let unknown = open(&world, &request).await.unwrap_err();
    assert_eq!(unknown.code, "PROVIDER_UNAVAILABLE");

    world.advance(WITHIN).await;
    until_opened(&world).await;
    pay(&world, &request, APPROVED).await;
    deliver_all(&world).await;
    world.events("order.paid", 1).await;
    assert_eq!(world.twin.list("payment_intents?limit=100").await.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn intent_whose_answer_was_lost_is_found_and_not_opened_twice() {
    check_opened_once(Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn request_lost_on_the_way_is_sent_again() {
    check_opened_once(Action::DropBefore {}).await;
}

#[tokio::test]
async fn failure_that_stripe_kept_is_overcome_by_looking_for_the_intent() {
    let world = World::start().await;
    let request = wanted_by_guest(&world, Purpose::Gift, "gift-year").await;
    world.twin.sabotage(
        "POST",
        "payment_intents",
        Action::Error {
            status: 500,
            body: None,
            kept: Some(true),
        },
    );
    open(&world, &request).await.unwrap_err();
    // Nothing was opened: after a day the key is forgotten, and the attempt is given up.
    world.advance(TimeDelta::hours(24)).await;
    let pool = world.pool().await;
    let reached = tokio::time::timeout(std::time::Duration::from_secs(10), async {
        let state = "select state from payment";
        while sqlx::query_scalar::<_, String>(state)
            .fetch_one(&pool)
            .await
            .unwrap()
            != "canceled"
        {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    assert!(reached.await.is_ok());
    assert!(world.twin.captured_charges().await.is_empty());
}
