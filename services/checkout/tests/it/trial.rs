use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Cancel, Change, Reactivate};

use crate::change_subscription::wish;
use crate::confirm_subscription::confirm;
use crate::life::{Sold, until};
use crate::twin::{APPROVED, ASKS_FOR_3DS, DECLINED_WHEN_CHARGED};
use crate::world::{MEMBER, World};

const PAST_TRIAL: TimeDelta = TimeDelta::seconds(7 * 86_400 + 120);

#[tokio::test]
async fn trial_starts_without_a_charge_and_is_charged_at_its_end() {
    let world = World::start().await;
    let answer = world.buy("web-annual", APPROVED).await.unwrap();
    let subscription = answer.subscription.unwrap();
    assert_eq!(
        (subscription.status.as_str(), answer.payment_status.as_str()),
        ("trialing", "")
    );
    assert_eq!(answer.setup_intent_secret, "");
    assert!(world.twin.captured_charges().await.is_empty());
    assert_eq!(
        world.events("subscription.activated", 1).await[0].data["trialDays"],
        7
    );

    world.at_rest().await;
    world.advance(PAST_TRIAL).await;
    world.until_status("active").await;
    assert_eq!(world.events("order.paid", 1).await.len(), 1);
    assert_eq!(world.events("subscription.activated", 1).await.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn card_that_must_be_authenticated_starts_the_trial_afterwards() {
    let world = World::start().await;
    let answer = world.buy("web-annual", ASKS_FOR_3DS).await.unwrap();
    assert_eq!(answer.subscription.unwrap().status, "trialing");
    assert!(
        answer.setup_intent_secret.starts_with("seti_"),
        "{}",
        answer.setup_intent_secret
    );
    assert_eq!(answer.payment_status, "");
    // Until then nothing has begun, and nothing is listed as if it had.
    let waiting = world.subscriptions().await.remove(0);
    assert_eq!((waiting.status.as_str(), waiting.renews), ("incomplete", false));
    assert_eq!(waiting.current_period_end, None);

    world
        .twin
        .answer_challenge(&answer.setup_intent_secret, "succeeded")
        .await;
    world.advance(TimeDelta::seconds(5)).await;
    assert_eq!(world.events("subscription.activated", 1).await.len(), 1);
    world.until_status("trialing").await;
    world.check_books().await;
}

#[tokio::test]
async fn trial_whose_card_is_never_confirmed_does_not_begin_and_is_never_charged() {
    let world = World::start().await;
    let answer = world.buy("web-annual", ASKS_FOR_3DS).await.unwrap();
    world
        .twin
        .answer_challenge(&answer.setup_intent_secret, "failed")
        .await;
    let subscription_id = answer.subscription.unwrap().subscription_id;
    let confirmed = confirm(&world, MEMBER, &subscription_id).await.unwrap();
    assert_eq!(confirmed.subscription.unwrap().status, "incomplete");

    world.advance(TimeDelta::hours(22)).await;
    assert_eq!(world.twin.subscriptions().await[0]["status"], "trialing");
    world.advance(TimeDelta::hours(2)).await;
    until(async || world.twin.subscriptions().await[0]["status"] == "canceled").await;
    world.advance(PAST_TRIAL).await;
    world.events("subscription.activated", 0).await;
    assert_eq!(world.charges().await, 0);
    assert_eq!(world.subscriptions().await[0].status, "incomplete");

    // Another card begins it.
    let again = world.buy("web-annual", APPROVED).await.unwrap();
    assert_eq!(again.subscription.unwrap().status, "trialing");
    world.check_books().await;
}

#[tokio::test]
async fn trial_whose_charge_fails_is_past_due() {
    let world = World::start().await;
    world.buy("web-annual", DECLINED_WHEN_CHARGED).await.unwrap();
    world.at_rest().await;
    world.advance(PAST_TRIAL).await;
    world.until_status("past_due").await;
    assert_eq!(
        world.events("subscription.payment_failed", 1).await[0].data["code"],
        "card_declined"
    );
    world.check_books().await;
}

#[tokio::test]
async fn trial_that_is_cancelled_runs_to_its_end_and_is_seen_afterwards() {
    let world = World::start().await;
    world.buy("web-annual", APPROVED).await.unwrap();
    world.at_rest().await;
    wish(&world, Change::Cancel(Cancel {})).await.unwrap();
    let leaving = world.subscriptions().await.remove(0);
    assert_eq!((leaving.status.as_str(), leaving.trial_days), ("trialing", 7));
    assert_eq!(leaving.cancel_at, leaving.current_period_end);
    assert_eq!(leaving.available_actions, ["keep", "card"]);
    assert!(!leaving.renews);
    let kept = wish(&world, Change::Reactivate(Reactivate {})).await.unwrap();
    assert_eq!(kept.cancel_at, None);
    wish(&world, Change::Cancel(Cancel {})).await.unwrap();
    world.at_rest().await;

    world.advance(PAST_TRIAL).await;
    world.until_status("canceled").await;
    let told = world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "requested");
    let over = world.subscriptions().await.remove(0);
    assert_eq!(over.subscription_id, leaving.subscription_id);
    assert!(
        over.available_actions.is_empty() && over.receipts.is_empty(),
        "{over:?}"
    );
    assert_eq!(world.charges().await, 0);
    world.events("order.paid", 0).await;

    // It is kept beside what is bought next.
    world.buy("web-monthly", APPROVED).await.unwrap();
    let listed = world.subscriptions().await;
    let standing: Vec<&str> = listed.iter().map(|one| one.status.as_str()).collect();
    assert_eq!(standing, ["active", "canceled"]);
    world.check_books().await;
}

#[tokio::test]
async fn trial_that_is_never_paid_is_seen_as_ended() {
    let world = World::start().await;
    world.buy("web-annual", DECLINED_WHEN_CHARGED).await.unwrap();
    world.at_rest().await;
    world.advance(PAST_TRIAL).await;
    world.until_status("past_due").await;
    world.until_held().await;
    world.advance(TimeDelta::days(15)).await;
    world.until_status("canceled").await;
    let told = world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "unpaid");
    let over = world.subscriptions().await.remove(0);
    assert_eq!((over.overdue, over.cancel_at), (None, None));
    assert_eq!(world.charges().await, 0);
    world.check_books().await;
}

#[tokio::test]
async fn next_period_is_learnt_from_the_provider() {
    let world = World::start().await;
    let first = world
        .buy("web-monthly", APPROVED)
        .await
        .unwrap()
        .subscription
        .unwrap()
        .current_period_end
        .unwrap();
    world.at_rest().await;
    world.advance(TimeDelta::days(32)).await;
    let moved = tokio::time::timeout(std::time::Duration::from_secs(10), async {
        while world.subscriptions().await[0].current_period_end.unwrap().seconds <= first.seconds {
            tokio::time::sleep(std::time::Duration::from_millis(20)).await;
        }
    });
    moved.await.unwrap();
}
