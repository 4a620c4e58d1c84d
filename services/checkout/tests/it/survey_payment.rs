//! What pages say of a survey's order: whose it is, and that it is paid. Neither is believed.

use kit::error::Failure;
use proto::checkout::v1::{
    ClaimSurveyOrderRequest, CreateSurveyOrderRequest, SetSubscriptionAttributionRequest,
    SettleSurveyOrderRequest,
};
use proto::common::v1::Tracking;
use sandbox::Action;
use serde_json::json;

use crate::life::{A_MINUTE, within};
use crate::twin::APPROVED;
use crate::world::{MEMBER, World};

async fn survey(world: &World) -> String {
    let request = CreateSurveyOrderRequest {
        lang: "tr".into(),
        country: "TR".into(),
        ..Default::default()
    };
    let opened = world.checkout.clone().create_survey_order(request).await.unwrap();
    opened.into_inner().order_id
}

async fn is_paid(world: &World, user_id: &str, order_id: &str) -> Result<bool, String> {
    let request = SettleSurveyOrderRequest {
        user_id: user_id.into(),
        order_id: order_id.into(),
    };
    let answered = world.checkout.clone().settle_survey_order(request).await;
    answered
        .map(|answer| answer.into_inner().paid)
        .map_err(|status| Failure::from_status(&status).code)
}

async fn claim(world: &World, user_id: &str, order_id: &str) -> Result<(), String> {
    let request = ClaimSurveyOrderRequest {
        user_id: user_id.into(),
        order_id: order_id.into(),
        ..Default::default()
    };
    let answered = world.checkout.clone().claim_survey_order(request).await;
    answered
        .map(|_| ())
        .map_err(|status| Failure::from_status(&status).code)
}

#[tokio::test]
async fn survey_is_paid_when_its_owner_has_paid_and_not_when_a_page_says_so() {
    let world = World::start().await;
    let order = survey(&world).await;
    assert_eq!(is_paid(&world, "", &order).await, Ok(false));
    assert_eq!(is_paid(&world, MEMBER, &order).await, Ok(false));
    world.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(is_paid(&world, "", &order).await, Ok(false));
    assert_eq!(is_paid(&world, MEMBER, &order).await, Ok(true));
    assert_eq!(is_paid(&world, MEMBER, &order).await, Ok(true));

    let purchase = world.events("order.paid", 1).await.remove(0);
    let paid = world.events("survey_order.paid", 1).await.remove(0);
    let expected = json!({
        "surveyOrderId": order, "userId": MEMBER, "orderId": purchase.data["orderId"], "variant": 15,
    });
    assert_eq!(paid.data, expected);
    let person = (paid.lang.as_deref(), paid.country.as_deref());
    assert_eq!(person, (Some("tr"), Some("TR")));
}

#[tokio::test]
async fn survey_whose_payment_nobody_answered_is_paid_within_a_minute() {
    let world = World::start().await;
    let order = survey(&world).await;
    claim(&world, MEMBER, &order).await.unwrap();
    world
        .twin
        .sabotage("POST", "subscriptions", Action::DropAfterCommit {});
    let bought = world.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(bought.payment_status, "processing");
    assert_eq!(is_paid(&world, MEMBER, &order).await, Ok(false));
    // What the page asks for is what is known here: no provider is asked on its behalf.
    let paid = async || is_paid(&world, MEMBER, &order).await == Ok(true);
    within(&world, A_MINUTE, paid).await;
    assert_eq!(world.twin.captured_charges().await.len(), 1);
    world.events("order.paid", 1).await;
    world.check_books().await;
}

#[tokio::test]
async fn survey_belongs_to_who_was_first() {
    let world = World::start().await;
    let order = survey(&world).await;
    assert_eq!(claim(&world, MEMBER, &order).await, Ok(()));
    assert_eq!(claim(&world, MEMBER, &order).await, Ok(()));
    let claimed = world.events("survey_order.claimed", 1).await.remove(0);
    assert_eq!(claimed.data, json!({ "surveyOrderId": order, "userId": MEMBER }));
    let unknown = "UNKNOWN_ORDER".to_owned();
    assert_eq!(claim(&world, "usr_other", &order).await, Err(unknown.clone()));
    assert_eq!(is_paid(&world, "usr_other", &order).await, Err(unknown.clone()));
    for nonsense in ["", "svo_nonsense", "ord_0199f0a46c1e7cc09f3a2b1d5f8a7c11"] {
        assert_eq!(
            claim(&world, MEMBER, nonsense).await,
            Err(unknown.clone()),
            "{nonsense}"
        );
    }
}

#[tokio::test]
async fn subscription_learns_where_it_came_from_and_forgets_nothing() {
    let world = World::start().await;
    let bought = world.buy("web-monthly", APPROVED).await.unwrap();
    let subscription_id = bought.subscription.unwrap().subscription_id;
    let note = async |user_id: &str, source: &str| {
        let parameters = [("utm_source".to_owned(), source.to_owned())];
        let request = SetSubscriptionAttributionRequest {
            user_id: user_id.into(),
            subscription_id: subscription_id.clone(),
            tracking: Some(Tracking {
                parameters: parameters.into_iter().collect(),
            }),
        };
        let answered = world.checkout.clone().set_subscription_attribution(request).await;
        answered.map_err(|status| Failure::from_status(&status).code)
    };
    note(MEMBER, "a-letter").await.unwrap();
    note(MEMBER, "somewhere-else").await.unwrap();
    assert_eq!(note("usr_other", "x").await.unwrap_err(), "UNKNOWN_SUBSCRIPTION");
    let kept: String = sqlx::query_scalar("select tracking->>'utm_source' from orders")
        .fetch_one(&world.pool().await)
        .await
        .unwrap();
    assert_eq!(kept, "a-letter");
}
