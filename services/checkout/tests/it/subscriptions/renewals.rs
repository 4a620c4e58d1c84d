//! What is paid after the first payment: learnt from Stripe, booked and told once, however it is heard of.

use std::time::Duration;

use chrono::TimeDelta;
use sandbox::Action;

use crate::support::subscription_probe::{Sold, until};
use crate::support::fake_provider::APPROVED;
use crate::support::test_env::World;

const MONTH: TimeDelta = TimeDelta::days(32);

#[tokio::test]
async fn each_period_is_a_payment_booked_and_told_once() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    world.at_rest().await;
    let first_end = world.period_end().await;
    world.advance(MONTH).await;
    let told = world.events("subscription.renewed", 1).await;
    assert_eq!(told[0].data["amount"]["amountMinor"], "19999");
    assert_eq!(told[0].data["reason"], "renewal");
    assert_eq!(told[0].data["product"], "premium");
    assert!(world.period_end().await > first_end);
    world.at_rest().await;

    world.advance(MONTH).await;
    world.events("subscription.renewed", 2).await;
    assert_eq!(world.events("order.paid", 1).await.len(), 1);
    assert_eq!(world.events("subscription.activated", 1).await.len(), 1);
    assert_eq!(world.renewals().await.len(), 2);
    world.check_books().await;
}

#[tokio::test]
async fn webhooks_in_any_order_and_number_make_one_renewal() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    world.at_rest().await;
    world.advance(MONTH).await;
    let mut events = world.twin.events().await;
    events.reverse();
    for event in events.iter().chain(&events) {
        world.deliver(event).await;
    }
    world.events("subscription.renewed", 1).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    assert_eq!(world.renewals().await.len(), 1);
    world.events("subscription.renewed", 1).await;
    world.check_books().await;
}

#[tokio::test]
async fn first_charge_after_a_trial_pays_the_order_and_the_next_is_a_renewal() {
    let world = World::start().await;
    world.buy("free-trial", APPROVED).await.unwrap();
    world.at_rest().await;
    world.advance(TimeDelta::days(31)).await;
    world.until_status("active").await;
    world.events("order.paid", 1).await;
    world.at_rest().await;
    assert_eq!(world.renewals().await.len(), 0);
    world.advance(TimeDelta::days(367)).await;
    world
        .events("subscription.renewed", world.charges().await - 1)
        .await;
    world.check_books().await;
}

#[tokio::test]
async fn what_was_charged_while_nobody_was_listening_is_caught_up_with() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    world.at_rest().await;
    world.twin.sabotage_all("GET", "invoices*", Action::DropBefore {});
    world.advance(TimeDelta::days(95)).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    world.twin.end_sabotage();
    world.advance(TimeDelta::minutes(20)).await;
    world.events("subscription.renewed", 3).await;
    world.check_books().await;
}

#[tokio::test]
async fn renewal_given_back_by_hand_is_booked() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    world.at_rest().await;
    world.advance(MONTH).await;
    world.events("subscription.renewed", 1).await;
    let intent = world.renewals().await[0].provider_intent_id.clone().unwrap();
    world.twin.refund_by_hand(&intent, 1000).await;
    for event in world.twin.events().await {
        world.deliver(&event).await;
    }
    world.events("refund.succeeded", 1).await;
    world.check_books().await;
}

#[tokio::test]
async fn who_cancels_at_stripe_is_told_of_as_ended_once() {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    world.at_rest().await;
    world.cancel_by_hand().await;
    world.advance(MONTH).await;
    world.until_status("canceled").await;
    let told = world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "requested");
    world.advance(MONTH).await;
    until(async || world.due_lives().await == 0).await;
    world.events("subscription.canceled", 1).await;
    assert_eq!(world.charges().await, 1);
    world.check_books().await;
}
