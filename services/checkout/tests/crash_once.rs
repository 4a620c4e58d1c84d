//! The real binary, killed while something is paid once: it ends paid once, charged once and told once.
#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]

#[allow(
    dead_code,
    reason = "shared by several test binaries, each of which uses its part"
)]
#[path = "crash/scene.rs"]
mod scene;
#[path = "it/twin.rs"]
mod twin;

use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    CreateIntentRequest, CreateIntentResponse, ListSubscriptionsRequest, ResolveCampaignRequest,
    ResolveCampaignResponse,
};
use sandbox::Action;

use scene::{MEMBER, Scene, until};
use twin::APPROVED;

async fn shown(scene: &Scene, campaign: &str) -> ResolveCampaignResponse {
    let ask = ResolveCampaignRequest {
        campaign: campaign.into(),
        language: "en".into(),
        ..Default::default()
    };
    scene.client().resolve_campaign(ask).await.unwrap().into_inner()
}

async fn open(scene: &Scene, request: &CreateIntentRequest) -> Result<CreateIntentResponse, tonic::Status> {
    let opened = scene.client().create_intent(request.clone()).await;
    opened.map(tonic::Response::into_inner)
}

async fn pay(scene: &Scene, opened: &CreateIntentResponse) {
    let card = scene.twin.card(APPROVED).await;
    scene.twin.confirm_in_browser(&opened.client_secret, &card).await;
}

#[tokio::test]
async fn killed_with_the_intent_open_at_stripe_and_again_as_it_is_paid() {
    let mut scene = Scene::start().await;
    let request = CreateIntentRequest {
        purpose: Purpose::Gift.into(),
        price_id: shown(&scene, "gift-year").await.offer.unwrap().price_id,
        language: "en".into(),
        idempotency_key: "the-click".into(),
        ..Default::default()
    };
    scene
        .twin
        .sabotage("POST", "payment_intents", Action::DelayAfterCommit { ms: 4000 });
    let (mut client, asked) = (scene.client(), request.clone());
    let pending = tokio::spawn(async move { client.create_intent(asked).await });
    until("Stripe has opened it", async || {
        scene.twin.list("payment_intents?limit=100").await.len() == 1
    })
    .await;
    scene.kill();
    assert!(pending.await.unwrap().is_err());

    scene.launch().await;
    let opened = open(&scene, &request).await.unwrap();
    assert!(!opened.client_secret.is_empty(), "{opened:?}");
    scene.kill();
    pay(&scene, &opened).await;

    scene.launch().await;
    until("the gift is paid", async || {
        scene
            .count("select count(*) from orders where state = 'paid'")
            .await
            == 1
    })
    .await;
    let again = open(&scene, &request).await.unwrap();
    assert_eq!(
        again.payment_status, "succeeded",
        "whoever clicks again pays nothing again"
    );
    assert_eq!(scene.count("select count(*) from orders").await, 1);
    assert_eq!(scene.twin.list("payment_intents?limit=100").await.len(), 1);
    assert_eq!(scene.twin.captured_charges().await.len(), 1);
    assert_eq!(scene.on_stream("stillpoint.checkout.order.paid").await, 1);
    scene.check_rules().await;
}

#[tokio::test]
async fn killed_while_a_paid_trial_begins_its_subscription() {
    let mut scene = Scene::start().await;
    let offered = shown(&scene, "paid-trial").await;
    let request = CreateIntentRequest {
        purpose: Purpose::Trial.into(),
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        price_id: offered.trial_prices[0].price_id.clone(),
        starts_price_id: offered.offer.unwrap().price_id,
        language: "en".into(),
        ..Default::default()
    };
    let opened = open(&scene, &request).await.unwrap();
    scene
        .twin
        .sabotage("POST", "subscriptions", Action::DelayAfterCommit { ms: 4000 });
    pay(&scene, &opened).await;
    until("Stripe has the subscription", async || {
        scene.twin.subscriptions().await.len() == 1
    })
    .await;
    scene.kill();

    scene.launch().await;
    let list = ListSubscriptionsRequest {
        user_id: MEMBER.into(),
    };
    until("the trial runs", async || {
        let listed = scene.client().list_subscriptions(list.clone()).await.unwrap();
        let listed = listed.into_inner().subscriptions;
        listed.len() == 1 && listed[0].status == "trialing"
    })
    .await;
    assert_eq!(scene.twin.subscriptions().await.len(), 1);
    assert_eq!(scene.twin.captured_charges().await.len(), 1);
    assert_eq!(scene.on_stream("stillpoint.checkout.order.paid").await, 1);
    assert_eq!(
        scene
            .on_stream("stillpoint.checkout.subscription.activated")
            .await,
        1
    );
    scene.check_rules().await;
}
