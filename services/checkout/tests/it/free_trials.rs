//! A free trial is had once: by one member, and with one card under whatever address.

use chrono::TimeDelta;
use futures::future::join_all;
use kit::error::Failure;
use proto::checkout::v1::change_subscription_request::{Cancel, Change};
use proto::checkout::v1::{
    CreateSubscriptionRequest, ListSubscriptionsRequest, ResolveCampaignRequest, ResolveCampaignResponse,
};

use crate::change_subscription::wish;
use crate::intents::{deliver_all, open};
use crate::life::Sold;
use crate::paid_trial::trial;
use crate::twin::{APPROVED, ASKS_FOR_3DS};
use crate::world::{MEMBER, World};

const ANOTHER: &str = "usr_0192f0c0a0007000800000000000000b";
const PAST_TRIAL: TimeDelta = TimeDelta::seconds(7 * 86_400 + 120);

async fn resolve(world: &World, user_id: &str) -> ResolveCampaignResponse {
    let request = ResolveCampaignRequest {
        campaign: "web-annual".into(),
        language: "tr".into(),
        country: "TR".into(),
        user_id: user_id.into(),
        ..Default::default()
    };
    let answered = world.checkout.clone().resolve_campaign(request).await;
    answered.unwrap().into_inner()
}

async fn trial_days(world: &World, user_id: &str) -> i32 {
    resolve(world, user_id).await.offer.unwrap().trial_days
}

/// What the page of another member sends, with a fresh token of the card and what the campaign is quoted at.
async fn submit(world: &World, user_id: &str, number: &str) -> CreateSubscriptionRequest {
    let quoted = resolve(world, user_id).await;
    let card = world.twin.card(number).await;
    CreateSubscriptionRequest {
        user_id: user_id.into(),
        email: format!("{user_id}@example.com"),
        price_id: quoted.offer.unwrap().price_id,
        quote: quoted.quote,
        ..world.submit("web-annual", &card).await
    }
}

async fn status(world: &World, user_id: &str) -> Vec<String> {
    let request = ListSubscriptionsRequest {
        user_id: user_id.into(),
    };
    let listed = world.checkout.clone().list_subscriptions(request).await;
    let listed = listed.unwrap().into_inner().subscriptions;
    listed.into_iter().map(|one| one.status).collect()
}

fn code(failure: &Failure) -> &str {
    &failure.code
}

#[tokio::test]
async fn card_begins_one_free_trial_under_whatever_address() {
    let world = World::start().await;
    world.buy("web-annual", APPROVED).await.unwrap();
    assert_eq!(trial_days(&world, ANOTHER).await, 7);

    let submitted = submit(&world, ANOTHER, APPROVED).await;
    let refused = world.pay(submitted.clone()).await.unwrap_err();
    assert_eq!(code(&refused), "TRIAL_ALREADY_USED");
    assert_eq!(world.twin.subscriptions().await.len(), 1);
    // The page as it is submits the same again.
    assert_eq!(
        code(&world.pay(submitted).await.unwrap_err()),
        "TRIAL_ALREADY_USED"
    );

    // Asked again, the campaign is offered without the trial, and charged as it is shown.
    assert_eq!(trial_days(&world, ANOTHER).await, 0);
    let bought = world.pay(submit(&world, ANOTHER, APPROVED).await).await.unwrap();
    assert_eq!(bought.subscription.unwrap().status, "active");
    assert_eq!(bought.payment_status, "succeeded");
    assert_eq!(world.charges().await, 1);
    assert_eq!(status(&world, ANOTHER).await, ["active"]);
    world.check_books().await;
}

#[tokio::test]
async fn of_two_members_with_one_card_at_once_one_begins_a_trial() {
    let world = World::start().await;
    let first = submit(&world, MEMBER, APPROVED).await;
    let second = submit(&world, ANOTHER, APPROVED).await;
    let answers = join_all([world.pay(first), world.pay(second)]).await;
    let refused: Vec<&str> = answers
        .iter()
        .filter_map(|answer| answer.as_ref().err().map(code))
        .collect();
    assert_eq!(refused, ["TRIAL_ALREADY_USED"]);
    assert_eq!(world.twin.subscriptions().await.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn member_who_left_a_trial_has_no_second_one_with_another_card() {
    let world = World::start().await;
    world.buy("web-annual", APPROVED).await.unwrap();
    world.at_rest().await;
    wish(&world, Change::Cancel(Cancel {})).await.unwrap();
    world.at_rest().await;
    world.advance(PAST_TRIAL).await;
    world.until_status("canceled").await;

    assert_eq!(trial_days(&world, MEMBER).await, 0);
    // A page that shows no quote sells what is listed: with the trial.
    let refused = world.buy("web-annual", "5555555555554444").await.unwrap_err();
    assert_eq!(code(&refused), "TRIAL_ALREADY_USED");
    assert_eq!(world.charges().await, 0);
    let bought = world.pay(submit(&world, MEMBER, "5555555555554444").await).await;
    assert_eq!(bought.unwrap().subscription.unwrap().status, "active");
    world.check_books().await;
}

#[tokio::test]
async fn card_whose_owner_did_not_confirm_it_begins_a_trial_later() {
    let world = World::start().await;
    let asked = world.buy("web-annual", ASKS_FOR_3DS).await.unwrap();
    world
        .twin
        .answer_challenge(&asked.setup_intent_secret, "failed")
        .await;
    let meanwhile = world.pay(submit(&world, ANOTHER, ASKS_FOR_3DS).await).await;
    assert_eq!(code(&meanwhile.unwrap_err()), "TRIAL_ALREADY_USED");

    // The first has not begun: its own member may, with the same card.
    world.advance(TimeDelta::hours(24)).await;
    crate::life::until(async || world.twin.subscriptions().await[0]["status"] == "canceled").await;
    let again = world
        .pay(submit(&world, MEMBER, ASKS_FOR_3DS).await)
        .await
        .unwrap();
    world
        .twin
        .answer_challenge(&again.setup_intent_secret, "succeeded")
        .await;
    deliver_all(&world).await;
    world.until_status("trialing").await;
    assert_eq!(trial_days(&world, MEMBER).await, 0);
}

#[tokio::test]
async fn trial_that_is_paid_for_is_had_as_often_as_it_is_paid() {
    let world = World::start().await;
    for user_id in [MEMBER, ANOTHER] {
        let request = proto::checkout::v1::CreateIntentRequest {
            user_id: user_id.into(),
            ..trial(&world).await
        };
        let opened = open(&world, &request).await.unwrap();
        let card = world.twin.card(APPROVED).await;
        world.twin.confirm_in_browser(&opened.client_secret, &card).await;
        deliver_all(&world).await;
        crate::life::until(async || status(&world, user_id).await == ["trialing"]).await;
    }
    world.check_books().await;
}
