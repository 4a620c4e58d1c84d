//! A free trial is limited to one per member and per card.

use chrono::TimeDelta;
use futures::future::join_all;
use kit::error::Failure;
use proto::checkout::v1::change_subscription_request::{Cancel, Change};
use proto::checkout::v1::{
    CreateSubscriptionRequest, ListSubscriptionsRequest, ResolveCampaignRequest, ResolveCampaignResponse,
};

use crate::one_time::create_intent::{deliver_all, open};
use crate::subscriptions::change_subscription::request_change;
use crate::subscriptions::paid_trial::trial;
use crate::support::fake_provider::{APPROVED, ASKS_FOR_3DS};
use crate::support::subscription_probe::SubscriptionProbe;
use crate::support::test_env::{MEMBER, TestEnv};

const ANOTHER: &str = "usr_0192f0c0a0007000800000000000000b";
const PAST_TRIAL: TimeDelta = TimeDelta::seconds(7 * 86_400 + 120);

async fn resolve(env: &TestEnv, user_id: &str) -> ResolveCampaignResponse {
    let request = ResolveCampaignRequest {
        campaign: "web-annual".into(),
        language: "tr".into(),
        country: "TR".into(),
        user_id: user_id.into(),
        ..Default::default()
    };
    let answered = env.checkout.clone().resolve_campaign(request).await;
    answered.unwrap().into_inner()
}

async fn trial_days(env: &TestEnv, user_id: &str) -> i32 {
    resolve(env, user_id).await.offer.unwrap().trial_days
}

/// What the page of another member sends, with a fresh token of the card and what the campaign is quoted at.
async fn submit(env: &TestEnv, user_id: &str, number: &str) -> CreateSubscriptionRequest {
    let quoted = resolve(env, user_id).await;
    let card = env.fake_provider.card(number).await;
    CreateSubscriptionRequest {
        user_id: user_id.into(),
        email: format!("{user_id}@example.com"),
        price_id: quoted.offer.unwrap().price_id,
        quote: quoted.quote,
        ..env.submit("web-annual", &card).await
    }
}

async fn status(env: &TestEnv, user_id: &str) -> Vec<String> {
    let request = ListSubscriptionsRequest {
        user_id: user_id.into(),
    };
    let listed = env.checkout.clone().list_subscriptions(request).await;
    let listed = listed.unwrap().into_inner().subscriptions;
    listed.into_iter().map(|one| one.status).collect()
}

fn code(failure: &Failure) -> &str {
    &failure.code
}

#[tokio::test]
async fn card_starts_one_free_trial_under_any_address() {
    let env = TestEnv::start().await;
    env.buy("web-annual", APPROVED).await.unwrap();
    assert_eq!(trial_days(&env, ANOTHER).await, 7);

    let submitted = submit(&env, ANOTHER, APPROVED).await;
    let refused = env.pay(submitted.clone()).await.unwrap_err();
    assert_eq!(code(&refused), "TRIAL_ALREADY_USED");
    assert_eq!(env.fake_provider.subscriptions().await.len(), 1);
    // The page as it is submits the same again.
    assert_eq!(code(&env.pay(submitted).await.unwrap_err()), "TRIAL_ALREADY_USED");

    // Asked again, the campaign is offered without the trial, and charged as it is shown.
    assert_eq!(trial_days(&env, ANOTHER).await, 0);
    let bought = env.pay(submit(&env, ANOTHER, APPROVED).await).await.unwrap();
    assert_eq!(bought.subscription.unwrap().status, "active");
    assert_eq!(bought.payment_status, "succeeded");
    assert_eq!(env.charges().await, 1);
    assert_eq!(status(&env, ANOTHER).await, ["active"]);
    env.check_ledger().await;
}

#[tokio::test]
async fn two_members_with_one_card_start_one_trial() {
    let env = TestEnv::start().await;
    let first = submit(&env, MEMBER, APPROVED).await;
    let second = submit(&env, ANOTHER, APPROVED).await;
    let answers = join_all([env.pay(first), env.pay(second)]).await;
    let refused: Vec<&str> = answers
        .iter()
        .filter_map(|answer| answer.as_ref().err().map(code))
        .collect();
    assert_eq!(refused, ["TRIAL_ALREADY_USED"]);
    assert_eq!(env.fake_provider.subscriptions().await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn member_who_left_a_trial_has_no_second_one_with_another_card() {
    let env = TestEnv::start().await;
    env.buy("web-annual", APPROVED).await.unwrap();
    env.until_idle().await;
    request_change(&env, Change::Cancel(Cancel {})).await.unwrap();
    env.until_idle().await;
    env.advance(PAST_TRIAL).await;
    env.until_status("canceled").await;

    assert_eq!(trial_days(&env, MEMBER).await, 0);
    // A page that shows no quote sells what is listed: with the trial.
    let refused = env.buy("web-annual", "5555555555554444").await.unwrap_err();
    assert_eq!(code(&refused), "TRIAL_ALREADY_USED");
    assert_eq!(env.charges().await, 0);
    let bought = env.pay(submit(&env, MEMBER, "5555555555554444").await).await;
    assert_eq!(bought.unwrap().subscription.unwrap().status, "active");
    env.check_ledger().await;
}

#[tokio::test]
async fn unconfirmed_card_starts_a_trial_later() {
    let env = TestEnv::start().await;
    let asked = env.buy("web-annual", ASKS_FOR_3DS).await.unwrap();
    env.fake_provider
        .answer_challenge(&asked.setup_intent_secret, "failed")
        .await;
    let meanwhile = env.pay(submit(&env, ANOTHER, ASKS_FOR_3DS).await).await;
    assert_eq!(code(&meanwhile.unwrap_err()), "TRIAL_ALREADY_USED");

    // The first has not begun: its own member may, with the same card.
    env.advance(TimeDelta::hours(24)).await;
    crate::support::subscription_probe::until(async || {
        env.fake_provider.subscriptions().await[0]["status"] == "canceled"
    })
    .await;
    let again = env.pay(submit(&env, MEMBER, ASKS_FOR_3DS).await).await.unwrap();
    env.fake_provider
        .answer_challenge(&again.setup_intent_secret, "succeeded")
        .await;
    deliver_all(&env).await;
    env.until_status("trialing").await;
    assert_eq!(trial_days(&env, MEMBER).await, 0);
}

#[tokio::test]
async fn paid_trials_with_one_card_are_not_limited() {
    let env = TestEnv::start().await;
    for user_id in [MEMBER, ANOTHER] {
        let request = proto::checkout::v1::CreateIntentRequest {
            user_id: user_id.into(),
            ..trial(&env).await
        };
        let opened = open(&env, &request).await.unwrap();
        let card = env.fake_provider.card(APPROVED).await;
        env.fake_provider
            .confirm_in_browser(&opened.client_secret, &card)
            .await;
        deliver_all(&env).await;
        crate::support::subscription_probe::until(async || status(&env, user_id).await == ["trialing"]).await;
    }
    env.check_ledger().await;
}
