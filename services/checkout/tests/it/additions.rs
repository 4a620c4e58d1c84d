//! Another session, by the card a member has left.

use kit::error::Failure;
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    ConfirmIntentRequest, CreateIntentResponse, ListAdditionsRequest, ListAdditionsResponse,
};

use crate::intents::{deliver_all, open, wanted};
use crate::twin::{APPROVED, ASKS_FOR_3DS, DECLINED_WHEN_CHARGED};
use crate::world::{MEMBER, World};

async fn list(world: &World, filter: &str) -> ListAdditionsResponse {
    let request = ListAdditionsRequest {
        user_id: MEMBER.into(),
        filter: filter.into(),
        language: "tr".into(),
        country: "TR".into(),
    };
    world
        .checkout
        .clone()
        .list_additions(request)
        .await
        .unwrap()
        .into_inner()
}

async fn confirmed(world: &World, intent: &str) -> CreateIntentResponse {
    let request = ConfirmIntentRequest {
        user_id: MEMBER.into(),
        payment_intent_id: intent.into(),
    };
    world
        .checkout
        .clone()
        .confirm_intent(request)
        .await
        .unwrap()
        .into_inner()
}

/// They have bought before, with a card of that number.
pub async fn member_with(number: &str) -> World {
    let world = World::start().await;
    let answer = world.buy("web-annual", number).await.unwrap();
    if !answer.setup_intent_secret.is_empty() {
        let secret = answer.setup_intent_secret;
        world.twin.answer_challenge(&secret, "succeeded").await;
    }
    world
}

#[tokio::test]
async fn additions_are_listed_with_the_card_they_are_charged_to() {
    let world = World::start().await;
    let all = list(&world, "").await;
    let codes: Vec<&str> = all.offers.iter().map(|offer| offer.campaign.as_str()).collect();
    assert_eq!(codes, ["addition-coaching", "addition-therapy"]);
    assert_eq!(all.card_last4, "");

    world.buy("web-annual", APPROVED).await.unwrap();
    let therapy = list(&world, "therapy_addition").await;
    assert_eq!(therapy.offers.len(), 1);
    assert_eq!(therapy.offers[0].price.as_ref().unwrap().amount_minor, 149_900);
    assert_eq!(therapy.card_last4, "4242");
}

#[tokio::test]
async fn saved_card_pays_at_once_and_each_session_anew() {
    let world = member_with(APPROVED).await;
    let request = wanted(&world, Purpose::Addition, "addition-therapy").await;
    for sessions in 1..=2 {
        let bought = open(&world, &request).await.unwrap();
        assert_eq!(
            (bought.payment_status.as_str(), bought.client_secret.as_str()),
            ("succeeded", "")
        );
        let paid = world.events("order.paid", sessions).await;
        assert_eq!(paid[sessions - 1].data["kind"], "addition");
        assert_eq!(paid[sessions - 1].data["product"], "therapy-session");
    }
    assert_eq!(world.twin.captured_charges().await.len(), 2);
    world.check_books().await;
}

#[tokio::test]
async fn click_that_comes_twice_buys_one_session() {
    let world = member_with(APPROVED).await;
    let mut request = wanted(&world, Purpose::Addition, "addition-therapy").await;
    request.idempotency_key = "the-click".into();
    let clicks = futures::future::join_all((0..4).map(|_| open(&world, &request))).await;
    assert!(clicks.iter().all(Result::is_ok), "{clicks:?}");
    assert_eq!(world.twin.captured_charges().await.len(), 1);
}

#[tokio::test]
async fn bank_that_asks_is_answered_in_the_page_and_then_asked_itself() {
    let world = member_with(ASKS_FOR_3DS).await;
    let request = wanted(&world, Purpose::Addition, "addition-coaching").await;
    let asked = open(&world, &request).await.unwrap();
    assert!(!asked.client_secret.is_empty(), "{asked:?}");
    let intent = &asked.payment_intent_id;
    assert_eq!(
        confirmed(&world, intent).await.payment_status,
        "requires_payment_method"
    );

    world
        .twin
        .answer_challenge(&asked.client_secret, "succeeded")
        .await;
    assert_eq!(confirmed(&world, intent).await.payment_status, "succeeded");
    world.events("order.paid", 1).await;
    world.check_books().await;
}

#[tokio::test]
async fn declined_card_says_so_and_another_one_may_be_tried() {
    let world = member_with(DECLINED_WHEN_CHARGED).await;
    let request = wanted(&world, Purpose::Addition, "addition-coaching").await;
    let declined: Failure = open(&world, &request).await.unwrap_err();
    assert_eq!(declined.code, "card_declined");
    assert_eq!(open(&world, &request).await.unwrap_err().code, "card_declined");
    assert!(world.twin.captured_charges().await.is_empty());
}

#[tokio::test]
async fn without_a_card_the_page_asks_for_one() {
    let world = World::start().await;
    let request = wanted(&world, Purpose::Addition, "addition-coaching").await;
    let opened = open(&world, &request).await.unwrap();
    let card = world.twin.card(APPROVED).await;
    world.twin.confirm_in_browser(&opened.client_secret, &card).await;
    deliver_all(&world).await;
    world.events("order.paid", 1).await;
    // Next time it is there.
    assert_eq!(list(&world, "").await.card_last4, "4242");
    world.check_books().await;
}
