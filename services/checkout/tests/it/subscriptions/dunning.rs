//! A renewal the card does not pay: grace, tries by what the bank said, and an end after which nobody asks again.

use std::time::Duration;

use chrono::TimeDelta;
use sandbox::Action;

use crate::support::subscription_probe::{Sold, until};
use crate::support::fake_provider::{APPROVED, DECLINED_WHEN_CHARGED};
use crate::support::test_env::World;

const MONTH: TimeDelta = TimeDelta::days(32);
const DAY: TimeDelta = TimeDelta::days(1);

/// Somebody whose second month is refused by their bank.
pub async fn overdue(refusal: &str) -> World {
    let world = World::start().await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    world.at_rest().await;
    world.twin.set_refusal(Some(refusal)).await;
    world.advance(MONTH).await;
    world.until_status("past_due").await;
    world.events("subscription.past_due", 1).await;
    world.until_held().await;
    world
}

#[tokio::test]
async fn overdue_renewal_is_tried_by_plan_and_recovers() {
    let world = overdue("insufficient_funds").await;
    let told = world.events("subscription.past_due", 1).await;
    assert_eq!(told[0].data["code"], "insufficient_funds");
    assert_eq!(told[0].data["amount"]["amountMinor"], "19999");
    let before = world.attempts().await;

    world.advance(DAY).await;
    until(async || world.attempts().await == before + 1).await;
    world.twin.set_refusal(None).await;
    world.advance(DAY * 2).await;
    world.until_status("active").await;
    world.events("subscription.recovered", 1).await;
    world.events("subscription.renewed", 1).await;
    world.events("subscription.past_due", 1).await;
    assert_eq!(world.charges().await, 2);
    world.check_books().await;
}

#[tokio::test]
async fn lost_card_is_never_tried_again_and_access_ends_with_the_grace() {
    let world = overdue("lost_card").await;
    let before = world.attempts().await;
    for _ in 0..13 {
        world.advance(DAY).await;
        tokio::time::sleep(Duration::from_millis(60)).await;
    }
    assert_eq!(world.subscriptions().await[0].status, "past_due");
    assert_eq!(world.attempts().await, before);

    world.advance(DAY * 2).await;
    world.until_status("canceled").await;
    let told = world.events("subscription.canceled", 1).await;
    assert_eq!(told[0].data["cause"], "unpaid");
    world.events("subscription.recovered", 0).await;
    world.check_books().await;
}

#[tokio::test]
async fn nothing_is_tried_after_a_cancel() {
    let world = overdue("insufficient_funds").await;
    world.end_by_hand().await;
    world.advance(TimeDelta::minutes(20)).await;
    let ended = async || world.subscriptions().await[0].status == "canceled";
    for _ in 0..50 {
        if ended().await {
            break;
        }
        world.advance(TimeDelta::hours(1)).await;
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    world.events("subscription.canceled", 1).await;
    let before = world.attempts().await;
    world.twin.set_refusal(None).await;
    for _ in 0..20 {
        world.advance(DAY).await;
        tokio::time::sleep(Duration::from_millis(30)).await;
    }
    assert_eq!(world.attempts().await, before);
    assert_eq!(world.charges().await, 1);
    until(async || world.due_lives().await == 0).await;
    world.check_books().await;
}

#[tokio::test]
async fn lost_answer_to_a_try_is_asked_for_again_and_charges_once() {
    for action in [Action::DropAfterCommit {}, Action::DropBefore {}] {
        let world = overdue("insufficient_funds").await;
        world.twin.set_refusal(None).await;
        world.twin.sabotage("POST", "invoices/*/pay", action);
        world.advance(DAY).await;
        until(async || world.twin.is_sabotaging()).await;
        world.advance(TimeDelta::minutes(1)).await;
        world.until_status("active").await;
        world.events("subscription.recovered", 1).await;
        world.events("subscription.renewed", 1).await;
        assert_eq!(world.charges().await, 2);
        world.check_books().await;
    }
}

#[tokio::test]
async fn first_charge_after_a_trial_has_the_same_grace() {
    let world = World::start().await;
    world.buy("web-annual", DECLINED_WHEN_CHARGED).await.unwrap();
    world.at_rest().await;
    world.advance(TimeDelta::seconds(7 * 86_400 + 120)).await;
    world.until_status("past_due").await;
    world.events("subscription.past_due", 1).await;
    world.until_held().await;
    world.twin.set_refusal(None).await;
    world.advance(DAY * 3).await;
    world.until_status("active").await;
    world.events("order.paid", 1).await;
    world.events("subscription.recovered", 1).await;
    world.events("subscription.renewed", 0).await;
    world.check_books().await;
}

#[tokio::test]
async fn member_is_reminded_once_before_the_trial_ends() {
    let world = World::start().await;
    world.buy("web-annual", APPROVED).await.unwrap();
    world.at_rest().await;
    world.advance(DAY * 3).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    world.events("subscription.trial_ending", 0).await;
    world.advance(DAY * 2).await;
    let told = world.events("subscription.trial_ending", 1).await;
    assert_eq!(told[0].data["amount"]["currency"], "TRY");
    world.advance(DAY).await;
    tokio::time::sleep(Duration::from_millis(300)).await;
    world.events("subscription.trial_ending", 1).await;
}
