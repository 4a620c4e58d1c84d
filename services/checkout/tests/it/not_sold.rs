//! What is not sold: to a buyer who would gain nothing by it, to a card it is not for, or not yet.

use kit::error::Failure;
use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    ChangeSubscriptionRequest, ListAdditionsRequest, change_subscription_request as change,
};
use serde_json::json;

use crate::books::checkout as command_line;
use crate::intents::{deliver_all, open, pay, wanted};
use crate::twin::{APPROVED, OF_THE_BANK};
use crate::world::{MEMBER, World};

async fn owner_for_good() -> (World, String) {
    let world = World::start().await;
    let request = wanted(&world, Purpose::Payment, "lifetime").await;
    let order_id = pay(&world, &request, APPROVED).await.order_id;
    deliver_all(&world).await;
    world.events("order.paid", 1).await;
    (world, order_id)
}

async fn code_of(world: &World, campaign: &str) -> String {
    world.resolve(campaign, "", "tr").await.unwrap_err().code
}

#[tokio::test]
async fn owner_for_good_is_charged_for_no_subscription_that_adds_nothing() {
    let world = World::start().await;
    // The page was open, with its price, before lifetime was bought in another tab.
    let card = world.twin.card(APPROVED).await;
    let monthly = world.submit("web-monthly", &card).await;
    let fee = world.resolve("paid-trial", "", "tr").await.unwrap();
    let mut trial = wanted(&world, Purpose::Trial, "paid-trial").await;
    trial.starts_price_id = fee.offer.unwrap().price_id;
    trial.price_id = fee.trial_prices[0].price_id.clone();
    let lifetime = wanted(&world, Purpose::Payment, "lifetime").await;
    pay(&world, &lifetime, APPROVED).await;
    deliver_all(&world).await;
    let paid = world.events("order.paid", 1).await;
    assert_eq!(paid[0].data["opens"], json!(["premium"]));

    assert_eq!(world.pay(monthly).await.unwrap_err().code, "ALREADY_OWNED");
    assert_eq!(open(&world, &trial).await.unwrap_err().code, "ALREADY_OWNED");
    for campaign in ["web-monthly", "web-annual", "paid-trial", "lifetime"] {
        assert_eq!(code_of(&world, campaign).await, "ALREADY_OWNED", "{campaign}");
    }
    assert!(world.subscriptions().await.is_empty());
    assert_eq!(world.twin.captured_charges().await.len(), 1);
    world.check_books().await;
}

#[tokio::test]
async fn a_trial_that_is_paid_after_lifetime_was_bought_goes_back() {
    let world = World::start().await;
    let offer = world.resolve("paid-trial", "", "tr").await.unwrap();
    let mut trial = wanted(&world, Purpose::Trial, "paid-trial").await;
    trial.starts_price_id = offer.offer.unwrap().price_id;
    trial.price_id = offer.trial_prices[0].price_id.clone();
    let opened = open(&world, &trial).await.unwrap();
    let lifetime = wanted(&world, Purpose::Payment, "lifetime").await;
    pay(&world, &lifetime, APPROVED).await;
    deliver_all(&world).await;
    world.events("order.paid", 1).await;

    let card = world.twin.card(APPROVED).await;
    world.twin.confirm_in_browser(&opened.client_secret, &card).await;
    deliver_all(&world).await;
    let refunded = &world.events("refund.succeeded", 1).await[0].data;
    assert_eq!(refunded["orderId"], opened.order_id);
    assert_eq!(refunded["reason"], "surplus");
    assert!(world.subscriptions().await.is_empty());
    assert!(world.twin.subscriptions().await.is_empty());
}

#[tokio::test]
async fn owner_for_good_buys_what_adds_something() {
    let (world, _) = owner_for_good().await;
    let bought = world.buy("coaching-monthly", APPROVED).await.unwrap();
    assert_eq!(bought.payment_status, "succeeded");
    let activated = &world.events("subscription.activated", 1).await[0].data;
    assert_eq!(activated["opens"], json!(["premium", "coaching"]));
    world.check_books().await;
}

#[tokio::test]
async fn whoever_has_their_money_back_may_subscribe_again() {
    let (world, order_id) = owner_for_good().await;
    command_line(&world, &["refund", &order_id, "--ticket", "T-1"]).await;
    world.events("refund.succeeded", 1).await;
    let bought = world.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(bought.payment_status, "succeeded");
}

#[tokio::test]
async fn sessions_are_not_sold_before_they_can_be_booked() {
    let world = World::start_with([("CHECKOUT_SESSIONS_BOOKABLE", "false")]).await;
    for campaign in ["addition-coaching", "addition-therapy"] {
        assert_eq!(
            code_of(&world, campaign).await,
            "SESSIONS_NOT_BOOKABLE",
            "{campaign}"
        );
    }
    let list = ListAdditionsRequest {
        user_id: MEMBER.into(),
        language: "tr".into(),
        country: "TR".into(),
        ..Default::default()
    };
    let listed = world.checkout.clone().list_additions(list).await.unwrap();
    assert!(listed.into_inner().offers.is_empty());

    // A page that was loaded while they were sold.
    let sold: sqlx::types::Uuid = sqlx::query_scalar(
        "select price_id from price where kind = 'addition' and currency = 'TRY' order by price_id limit 1",
    )
    .fetch_one(&world.pool().await)
    .await
    .unwrap();
    let mut request = wanted(&world, Purpose::Addition, "lifetime").await;
    request.price_id = format!("prc_{}", sold.simple());
    assert_eq!(
        open(&world, &request).await.unwrap_err().code,
        "SESSIONS_NOT_BOOKABLE"
    );
    assert!(world.twin.captured_charges().await.is_empty());
}

#[tokio::test]
async fn a_paid_session_opens_what_it_is_a_session_of() {
    let world = World::start().await;
    let request = wanted(&world, Purpose::Payment, "addition-therapy").await;
    pay(&world, &request, APPROVED).await;
    deliver_all(&world).await;
    let paid = world.events("order.paid", 1).await;
    assert_eq!(paid[0].data["opens"], json!(["therapy"]));
}

#[tokio::test]
async fn a_banks_price_is_not_charged_to_another_card() {
    let world = World::start().await;
    let refused: Failure = world.buy("teb40", APPROVED).await.unwrap_err();
    assert_eq!(refused.code, "CARD_NOT_IN_OFFER");
    // It is not even kept.
    assert!(world.twin.list("payment_methods?type=card").await.is_empty());
    assert_eq!(
        world.buy("teb40", APPROVED).await.unwrap_err().code,
        "CARD_NOT_IN_OFFER"
    );

    world.buy("teb40", OF_THE_BANK).await.unwrap();
    assert_eq!(world.subscriptions().await[0].status, "trialing");
    world.check_books().await;
}

#[tokio::test]
async fn a_banks_price_goes_on_by_no_other_card() {
    let world = World::start().await;
    let bought = world.buy("teb40", OF_THE_BANK).await.unwrap();
    let subscription_id = bought.subscription.unwrap().subscription_id;
    let changed = async |number: &str| {
        let request = ChangeSubscriptionRequest {
            user_id: MEMBER.into(),
            subscription_id: subscription_id.clone(),
            change: Some(change::Change::Card(change::Card {
                payment_method_id: world.twin.card(number).await,
            })),
        };
        let answered = world.checkout.clone().change_subscription(request).await;
        answered
            .map(drop)
            .map_err(|status| Failure::from_status(&status).code)
    };
    assert_eq!(changed(APPROVED).await, Err("CARD_NOT_IN_OFFER".to_owned()));
    assert_eq!(changed(OF_THE_BANK).await, Ok(()));
}
