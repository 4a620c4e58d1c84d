use std::time::Duration;

use chrono::TimeDelta;
use futures::future::join_all;
use sandbox::Action;
use serde_json::Value;
use sqlx::Executor;

use crate::books::{checkout, said};
use crate::erase_member::{erase, export};
use crate::life::{A_MINUTE, within};
use crate::twin::{APPROVED, DISPUTED};
use crate::world::{MEMBER, World};

const LATER: TimeDelta = TimeDelta::minutes(5);

/// Somebody bought a month; the order's id.
async fn bought(world: &World) -> String {
    world.buy("web-monthly", APPROVED).await.unwrap();
    world.accounts().await[0].order.order_id.to_string()
}

async fn price(world: &World) -> i64 {
    world.accounts().await[0].order.amount.minor
}

/// In alphabetical order.
async fn states(world: &World) -> Vec<&'static str> {
    let accounts = world.accounts().await;
    let refunds = accounts.iter().flat_map(|account| &account.refunds);
    let mut states: Vec<_> = refunds.map(|refund| refund.state.name()).collect();
    states.sort_unstable();
    states
}

async fn until_states(world: &World, wanted: &[&str]) {
    let reached = tokio::time::timeout(Duration::from_secs(10), async {
        while states(world).await != wanted {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    assert!(
        reached.await.is_ok(),
        "never {wanted:?}: {:?}",
        states(world).await
    );
}

/// As time goes by: what waits for its next look gets it.
async fn later_until_states(world: &World, wanted: &[&str]) {
    let reached = tokio::time::timeout(Duration::from_secs(20), async {
        while states(world).await != wanted {
            world.advance(LATER).await;
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    });
    assert!(
        reached.await.is_ok(),
        "never {wanted:?}: {:?}",
        states(world).await
    );
}

async fn given(world: &World) -> Vec<i64> {
    let refunds = world.twin.list("refunds?limit=100").await;
    let mut amounts: Vec<_> = refunds
        .iter()
        .map(|refund| refund["amount"].as_i64().unwrap())
        .collect();
    amounts.sort_unstable();
    amounts
}

#[tokio::test]
async fn part_and_rest_are_given_back_booked_and_told() {
    let world = World::start().await;
    let order = bought(&world).await;
    let price = price(&world).await;
    let told = said(&world, &["refund", &order, "1000", "--ticket", "T-1"], 0).await;
    assert!(told.starts_with("rfd_") && told.contains("intended"), "{told}");
    until_states(&world, &["succeeded"]).await;
    said(&world, &["refund", &order, "--ticket", "T-2"], 0).await;
    until_states(&world, &["succeeded", "succeeded"]).await;

    assert_eq!(given(&world).await, [1000, price - 1000]);
    let events = world.events("refund.succeeded", 2).await;
    assert_eq!(events[0].data["amount"]["amountMinor"], "1000");
    assert_eq!(events[0].data["userId"], MEMBER);
    assert_eq!(events[0].data["reason"], "requested");
    assert_eq!(events[0].lang.as_deref(), Some("tr"));
    let export = export(&world, MEMBER).await;
    assert_eq!(export.orders[0].refunds.len(), 2);
    let told = said(&world, &["refund", &order, "1", "--ticket", "T-3"], 2).await;
    assert!(told.contains("all of it is given back"), "{told}");
    world.check_books().await;
}

#[tokio::test]
async fn same_ticket_gives_back_once() {
    let world = World::start().await;
    let order = bought(&world).await;
    let arguments = ["refund", order.as_str(), "1000", "--ticket", "T-1"];
    let first = said(&world, &arguments, 0).await;
    until_states(&world, &["succeeded"]).await;
    let again = said(&world, &arguments, 0).await;
    assert_eq!(first.split(' ').next(), again.split(' ').next());
    said(&world, &["refund", &order, "2000", "--ticket", "T-1"], 2).await;
    assert_eq!(given(&world).await, [1000]);
    world.check_books().await;
}

#[tokio::test]
async fn who_has_left_gets_their_money_back_without_being_named() {
    let world = World::start().await;
    let order = bought(&world).await;
    erase(&world).await;
    said(&world, &["refund", &order, "--ticket", "T-1"], 0).await;
    until_states(&world, &["succeeded"]).await;
    let events = world.events("refund.succeeded", 1).await;
    assert!(events[0].data["userId"].as_str().unwrap().starts_with("erased_"));
    world.check_books().await;
}

#[tokio::test]
async fn what_cannot_be_given_back_is_refused() {
    let world = World::start().await;
    let order = bought(&world).await;
    for amount in ["0", "99999999"] {
        said(&world, &["refund", &order, amount, "--ticket", "T-1"], 2).await;
    }
    let nobodys = "ord_0192f0c0a0007000800000000000000a";
    said(&world, &["refund", nobodys, "--ticket", "T-1"], 2).await;
    said(&world, &["refund", "everything", "--ticket", "T-1"], 64).await;
    assert_eq!(states(&world).await, Vec::<&str>::new());
    world.check_books().await;
}

async fn check_given_once(action: Action) {
    let world = World::start().await;
    let order = bought(&world).await;
    world.twin.sabotage("POST", "refunds", action);
    said(&world, &["refund", &order, "--ticket", "T-1"], 0).await;
    within(&world, A_MINUTE, async || states(&world).await == ["succeeded"]).await;
    assert!(world.twin.is_sabotaging());
    assert_eq!(given(&world).await, [price(&world).await]);
    assert_eq!(world.events("refund.succeeded", 1).await.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn answer_lost_after_the_refund_refunds_once() {
    check_given_once(Action::DropAfterCommit {}).await;
}

#[tokio::test]
async fn request_lost_on_the_way_is_sent_again() {
    check_given_once(Action::DropBefore {}).await;
}

#[tokio::test]
async fn failure_that_stripe_kept_ends_when_its_keys_have_expired() {
    let world = World::start().await;
    let order = bought(&world).await;
    let failing = Action::Error {
        status: 500,
        body: None,
        stored: None,
    };
    world.twin.sabotage("POST", "refunds", failing);
    said(&world, &["refund", &order, "--ticket", "T-1"], 0).await;
    until_states(&world, &["unknown"]).await;
    assert_eq!(given(&world).await, Vec::<i64>::new());
    world.advance(TimeDelta::hours(25)).await;
    later_until_states(&world, &["succeeded"]).await;
    assert_eq!(given(&world).await.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn refusal_ends_it_and_another_can_be_made() {
    let world = World::start().await;
    let order = bought(&world).await;
    let refusing = Action::Error {
        status: 400,
        body: Some(
            serde_json::json!({"error": {"type": "invalid_request_error", "code": "balance_insufficient"}}),
        ),
        stored: None,
    };
    world.twin.sabotage("POST", "refunds", refusing);
    said(&world, &["refund", &order, "--ticket", "T-1"], 0).await;
    until_states(&world, &["failed"]).await;
    said(&world, &["refund", &order, "--ticket", "T-2"], 0).await;
    until_states(&world, &["failed", "succeeded"]).await;
    world.check_books().await;
}

#[tokio::test]
async fn refund_made_by_hand_at_the_provider_is_booked_and_told() {
    let world = World::start().await;
    bought(&world).await;
    let charge = world.twin.captured_charges().await.remove(0);
    world
        .twin
        .refund_by_hand(charge["payment_intent"].as_str().unwrap(), 700)
        .await;
    let told: Vec<Value> = world.twin.events().await;
    for kind in ["refund.created", "charge.refunded", "charge.refunded"] {
        let event = told.iter().find(|event| event["type"] == kind).unwrap();
        world.deliver(event).await;
    }
    until_states(&world, &["succeeded"]).await;
    let events = world.events("refund.succeeded", 1).await;
    assert_eq!(events[0].data["reason"], "at_provider");
    world.check_books().await;
}

/// As Stripe tells of a dispute: late, and each twice.
async fn hear_of_disputes(world: &World) {
    let told = world.twin.events().await;
    let kind = |event: &Value| event["type"].as_str().unwrap_or_default().to_owned();
    for event in told
        .iter()
        .filter(|event| kind(event).starts_with("charge.dispute."))
    {
        world.deliver(event).await;
        world.deliver(event).await;
    }
}

#[tokio::test]
async fn what_the_buyers_bank_takes_back_is_booked_and_booked_back_once_the_dispute_is_won() {
    let world = World::start().await;
    world.buy("web-monthly", DISPUTED).await.unwrap();
    hear_of_disputes(&world).await;
    until_states(&world, &["succeeded"]).await;
    let events = world.events("refund.succeeded", 1).await;
    assert_eq!(events[0].data["reason"], "disputed");
    let price = price(&world).await;
    assert_eq!(events[0].data["amount"]["amountMinor"], price.to_string());
    assert_eq!(world.twin.moved_by_disputes().await, -price);
    world.check_books().await;

    let dispute = world.twin.list("disputes").await.remove(0);
    world.twin.win_dispute(dispute["id"].as_str().unwrap()).await;
    hear_of_disputes(&world).await;
    until_states(&world, &["returned"]).await;
    assert_eq!(world.twin.moved_by_disputes().await, 0);
    assert_eq!(world.events("refund.succeeded", 1).await.len(), 1);
    assert_eq!(world.subscriptions().await[0].status, "active");
    world.check_books().await;
}

#[tokio::test]
async fn dispute_of_what_was_partly_given_back_is_booked_whole() {
    let world = World::start().await;
    let order = bought(&world).await;
    said(&world, &["refund", &order, "1000", "--ticket", "T-1"], 0).await;
    until_states(&world, &["succeeded"]).await;
    world.twin.dispute_all().await;
    hear_of_disputes(&world).await;
    until_states(&world, &["succeeded", "succeeded"]).await;
    world.check_books().await;
    let told = said(&world, &["refund", &order, "--ticket", "T-2"], 2).await;
    assert!(told.contains("all of it is given back"), "{told}");
}

#[tokio::test]
async fn dispute_that_is_told_before_its_payment_is_known_is_booked() {
    let world = World::start().await;
    let late = Action::DelayAfterCommit { ms: 1_500 };
    world.twin.sabotage("POST", "subscriptions", late);
    let told = async {
        while world.twin.list("disputes").await.is_empty() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
        hear_of_disputes(&world).await;
    };
    let (bought, ()) = tokio::join!(world.buy("web-monthly", DISPUTED), told);
    bought.unwrap();
    later_until_states(&world, &["succeeded"]).await;
    world.check_books().await;
}

#[tokio::test]
async fn ours_gives_way_to_what_was_given_back_by_hand() {
    let world = World::start().await;
    let order = bought(&world).await;
    let charge = world.twin.captured_charges().await.remove(0);
    let intent = charge["payment_intent"].as_str().unwrap();
    world.twin.refund_by_hand(intent, price(&world).await).await;
    said(&world, &["refund", &order, "1000", "--ticket", "T-1"], 0).await;
    until_states(&world, &["failed"]).await;
    later_until_states(&world, &["failed", "succeeded"]).await;
    assert_eq!(given(&world).await, [price(&world).await]);
    world.check_books().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn many_at_once_never_give_back_more_than_was_captured() {
    let world = World::start().await;
    bought(&world).await;
    let pool = world.pool().await;
    let most = price(&world).await * 3 / 5;
    let insert = format!(
        "insert into refund (refund_id, order_id, payment_id, amount_minor, currency, reason, idempotency_key, keyed_at,
             state, created_at)
         select gen_random_uuid(), order_id, payment_id, {most}, captured_currency, 'requested', gen_random_uuid(), now(),
             'intended', now() from payment"
    );
    let inserted = join_all((0..8).map(|_| pool.execute(sqlx::AssertSqlSafe(insert.clone())))).await;
    let refused: Vec<_> = inserted.iter().filter_map(|done| done.as_ref().err()).collect();
    assert_eq!(refused.len(), 7);
    for refusal in refused {
        let constraint = refusal.as_database_error().unwrap().constraint();
        assert_eq!(constraint, Some("refund_within_capture"), "{refusal}");
    }
    pool.execute("insert into refund_watch select payment_id, '-infinity' from refund")
        .await
        .unwrap();
    until_states(&world, &["succeeded"]).await;
    assert_eq!(given(&world).await, [most]);
    world.check_books().await;
}

#[tokio::test]
async fn two_desks_at_once_give_back_what_there_is() {
    let world = World::start().await;
    let order = bought(&world).await;
    let most = (price(&world).await * 3 / 5).to_string();
    let desks = ["T-1", "T-2", "T-3"].map(async |ticket| {
        let ended = checkout(&world, &["refund", &order, &most, "--ticket", ticket]).await;
        ended.status.code().unwrap()
    });
    let codes = join_all(desks).await;
    assert_eq!(codes.iter().filter(|code| **code == 0).count(), 1, "{codes:?}");
    until_states(&world, &["succeeded"]).await;
    world.check_books().await;
}
