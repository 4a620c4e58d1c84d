//! Answers of Stripe that never came after it had taken money from a card we keep. Nobody tells us and no page asks: our own
//! looks find out within a minute, and it was taken once.

use chrono::TimeDelta;
use proto::checkout::v1::change_subscription_request::{Change, Resume};
use proto::checkout::v1::create_intent_request::Purpose;
use sandbox::Action;

use crate::additions::member_with;
use crate::arrears::overdue;
use crate::change_subscription::{bought, card, pause, plan, preview, wish};
use crate::intents::{open, pay, wanted};
use crate::life::{A_MINUTE, Sold, within};
use crate::paid_trial::{charged, trial};
use crate::twin::APPROVED;
use crate::world::World;

const LOST: Action = Action::DropAfterCommit {};

async fn check_taken(world: &World, times: usize) {
    assert!(world.twin.is_sabotaging());
    assert_eq!(world.charges().await, times);
    assert!(world.twin.list("refunds?limit=100").await.is_empty());
    assert!(
        world
            .accounts()
            .await
            .iter()
            .all(|account| account.refunds.is_empty())
    );
    world.check_books().await;
}

async fn has_paid(world: &World, orders: usize) -> bool {
    let accounts = world.accounts().await;
    accounts.iter().filter(|account| account.order.is_paid()).count() == orders
}

#[tokio::test]
async fn saved_card_pays_for_one_session() {
    let world = member_with(APPROVED).await;
    let mut request = wanted(&world, Purpose::Addition, "addition-therapy").await;
    request.idempotency_key = "the-click".into();
    world.twin.sabotage("POST", "payment_intents", LOST);
    let unknown = open(&world, &request).await.unwrap_err();
    assert_eq!(unknown.code, "PROVIDER_UNAVAILABLE");
    within(&world, A_MINUTE, async || has_paid(&world, 1).await).await;
    // Whoever was told to try again hears that it is paid.
    let again = open(&world, &request).await.unwrap();
    assert_eq!(again.payment_status, "succeeded");
    check_taken(&world, 1).await;
    world.events("order.paid", 1).await;
}

#[tokio::test]
async fn dearer_plan_is_charged_as_it_was_shown() {
    let world = bought().await;
    world.advance(TimeDelta::days(10)).await;
    let shown = preview(&world, "web-annual").await.unwrap();
    world.twin.sabotage("POST", "subscriptions/sub_*", LOST);
    let asked = wish(&world, plan(&shown)).await.unwrap();
    assert_eq!(asked.pending_change, "plan");
    let is_changed = async || {
        let owned = &world.subscriptions().await[0];
        owned.pending_change.is_empty()
            && owned.price_id == shown.price_id
            && world.renewals().await.len() == 1
    };
    within(&world, A_MINUTE, is_changed).await;
    let captured = world.renewals().await[0].captured.minor;
    assert_eq!(Some(captured), shown.due_now.as_ref().map(|due| due.amount_minor));
    check_taken(&world, 2).await;
    let told = world.events("subscription.renewed", 1).await;
    assert_eq!(told[0].data["reason"], "change");
}

#[tokio::test]
async fn who_resumes_after_a_skipped_period_pays_for_one() {
    let world = bought().await;
    wish(&world, pause(&world, 90)).await.unwrap();
    world.at_rest().await;
    world.advance(TimeDelta::days(37)).await;
    world.events("subscription.paused", 1).await;
    world.at_rest().await;
    world.twin.sabotage("POST", "subscriptions/sub_*", LOST);
    let asked = wish(&world, Change::Resume(Resume {})).await.unwrap();
    assert_eq!(asked.pending_change, "resume");
    let is_resumed = async || {
        let owned = &world.subscriptions().await[0];
        owned.pending_change.is_empty() && owned.paused_until.is_none() && world.renewals().await.len() == 1
    };
    within(&world, A_MINUTE, is_resumed).await;
    check_taken(&world, 2).await;
    world.events("subscription.renewed", 1).await;
}

#[tokio::test]
async fn other_card_pays_what_is_overdue() {
    for path in [
        "invoices/*/pay",
        "subscriptions/sub_*",
        "payment_methods/*/attach",
    ] {
        let world = overdue("expired_card").await;
        world.twin.sabotage("POST", path, LOST);
        wish(&world, card(&world, APPROVED).await).await.unwrap();
        let recovered = async || {
            let owned = &world.subscriptions().await[0];
            owned.pending_change.is_empty() && owned.status == "active" && world.renewals().await.len() == 1
        };
        within(&world, A_MINUTE, recovered).await;
        assert_eq!(world.subscriptions().await[0].card_last4, "4242", "{path}");
        check_taken(&world, 2).await;
        world.events("subscription.recovered", 1).await;
        world.events("subscription.renewed", 1).await;
    }
}

async fn until_trialing(world: &World) {
    let is_trialing = async || {
        let owned = world.subscriptions().await;
        owned.first().is_some_and(|first| first.status == "trialing")
    };
    within(world, A_MINUTE, is_trialing).await;
    assert_eq!(charged(world).await, [2_999]);
    assert_eq!(world.twin.subscriptions().await.len(), 1);
    check_taken(world, 1).await;
    world.events("order.paid", 1).await;
    world.events("subscription.activated", 1).await;
}

#[tokio::test]
async fn trial_is_paid_though_the_browser_heard_nothing() {
    let world = World::start().await;
    let opened = open(&world, &trial(&world).await).await.unwrap();
    let card = world.twin.card(APPROVED).await;
    world.twin.confirm_unheard(&opened.client_secret, &card).await;
    until_trialing(&world).await;
}

#[tokio::test]
async fn trial_that_is_paid_begins_once() {
    for (method, path) in [
        ("GET", "payment_intents/*"),
        ("POST", "payment_methods/*/attach"),
        ("POST", "subscriptions"),
    ] {
        let world = World::start().await;
        let request = trial(&world).await;
        world.twin.sabotage(method, path, LOST);
        pay(&world, &request, APPROVED).await;
        until_trialing(&world).await;
    }
}
