//! The real binary, killed during the payment of a one-time order: one charge and one event of each kind result.

use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{
    CreateIntentRequest, CreateIntentResponse, ListSubscriptionsRequest, ResolveCampaignRequest,
    ResolveCampaignResponse,
};
use sandbox::Action;

use crate::fake_provider::APPROVED;
use crate::fixture::{Fixture, MEMBER, until};

async fn shown(fixture: &Fixture, campaign: &str) -> ResolveCampaignResponse {
    let ask = ResolveCampaignRequest {
        campaign: campaign.into(),
        language: "en".into(),
        ..Default::default()
    };
    fixture.client().resolve_campaign(ask).await.unwrap().into_inner()
}

async fn open(
    fixture: &Fixture,
    request: &CreateIntentRequest,
) -> Result<CreateIntentResponse, tonic::Status> {
    let opened = fixture.client().create_intent(request.clone()).await;
    opened.map(tonic::Response::into_inner)
}

async fn pay(fixture: &Fixture, opened: &CreateIntentResponse) {
    let card = fixture.fake_provider.card(APPROVED).await;
    fixture
        .fake_provider
        .confirm_in_browser(&opened.client_secret, &card)
        .await;
}

#[tokio::test]
async fn killed_with_the_intent_open_at_stripe_and_again_as_it_is_paid() {
    let mut fixture = Fixture::start().await;
    let request = CreateIntentRequest {
        purpose: Purpose::Gift.into(),
        price_id: shown(&fixture, "gift-year").await.offer.unwrap().price_id,
        language: "en".into(),
        idempotency_key: "the-click".into(),
        ..Default::default()
    };
    fixture
        .fake_provider
        .inject_fault("POST", "payment_intents", Action::DelayAfterCommit { ms: 4000 });
    let (mut client, asked) = (fixture.client(), request.clone());
    let pending = tokio::spawn(async move { client.create_intent(asked).await });
    until("Stripe has opened it", async || {
        fixture
            .fake_provider
            .list("payment_intents?limit=100")
            .await
            .len()
            == 1
    })
    .await;
    fixture.kill();
    assert!(pending.await.unwrap().is_err());

    fixture.launch().await;
    let opened = open(&fixture, &request).await.unwrap();
    assert!(!opened.client_secret.is_empty(), "{opened:?}");
    fixture.kill();
    pay(&fixture, &opened).await;

    fixture.launch().await;
    until("the gift is paid", async || {
        fixture
            .count("select count(*) from orders where state = 'paid'")
            .await
            == 1
    })
    .await;
    let again = open(&fixture, &request).await.unwrap();
    assert_eq!(
        again.payment_status, "succeeded",
        "a second click charges nothing"
    );
    assert_eq!(fixture.count("select count(*) from orders").await, 1);
    assert_eq!(
        fixture
            .fake_provider
            .list("payment_intents?limit=100")
            .await
            .len(),
        1
    );
    assert_eq!(fixture.fake_provider.captured_charges().await.len(), 1);
    assert_eq!(fixture.count_on_stream("stillpoint.checkout.order.paid").await, 1);
    fixture.check_invariants().await;
}

#[tokio::test]
async fn killed_while_a_paid_trial_begins_its_subscription() {
    let mut fixture = Fixture::start().await;
    let offered = shown(&fixture, "paid-trial").await;
    let request = CreateIntentRequest {
        purpose: Purpose::Trial.into(),
        user_id: MEMBER.into(),
        email: "buyer@example.com".into(),
        price_id: offered.trial_prices[0].price_id.clone(),
        starts_price_id: offered.offer.unwrap().price_id,
        language: "en".into(),
        ..Default::default()
    };
    let opened = open(&fixture, &request).await.unwrap();
    fixture
        .fake_provider
        .inject_fault("POST", "subscriptions", Action::DelayAfterCommit { ms: 4000 });
    pay(&fixture, &opened).await;
    until("Stripe has the subscription", async || {
        fixture.fake_provider.subscriptions().await.len() == 1
    })
    .await;
    fixture.kill();

    fixture.launch().await;
    let list = ListSubscriptionsRequest {
        user_id: MEMBER.into(),
    };
    until("the trial runs", async || {
        let listed = fixture.client().list_subscriptions(list.clone()).await.unwrap();
        let listed = listed.into_inner().subscriptions;
        listed.len() == 1 && listed[0].status == "trialing"
    })
    .await;
    assert_eq!(fixture.fake_provider.subscriptions().await.len(), 1);
    assert_eq!(fixture.fake_provider.captured_charges().await.len(), 1);
    assert_eq!(fixture.count_on_stream("stillpoint.checkout.order.paid").await, 1);
    assert_eq!(
        fixture
            .count_on_stream("stillpoint.checkout.subscription.activated")
            .await,
        1
    );
    fixture.check_invariants().await;
}
