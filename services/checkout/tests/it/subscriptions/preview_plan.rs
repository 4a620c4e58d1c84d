//! `PreviewPlan`: what a change of plan would charge now.

use chrono::TimeDelta;
use kit::error::Failure;
use proto::checkout::v1::{PreviewPlanRequest, PreviewPlanResponse};

use crate::subscriptions::change_subscription::{bought, plan, request_change};
use crate::support::subscription_probe::SubscriptionProbe;
use crate::support::test_env::{MEMBER, TestEnv};

pub async fn preview(env: &TestEnv, campaign: &str) -> Result<PreviewPlanResponse, String> {
    let request = PreviewPlanRequest {
        user_id: MEMBER.into(),
        subscription_id: env.subscriptions().await[0].subscription_id.clone(),
        price_id: env.offer(campaign, "", "tr").await.price_id,
    };
    let answered = env.checkout.clone().preview_plan(request).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status).code)
}

#[tokio::test]
async fn dearer_plan_charges_exactly_what_was_shown() {
    let env = bought().await;
    env.advance(TimeDelta::days(10)).await;
    let shown = preview(&env, "web-annual").await.unwrap();
    env.advance(TimeDelta::minutes(5)).await;
    let changed = request_change(&env, plan(&shown)).await.unwrap();
    assert_eq!(changed.price_id, shown.price_id);
    let emitted = env.events("subscription.renewed", 1).await;
    assert_eq!(emitted[0].data["reason"], "change");
    let captured = env.renewals().await[0].captured.minor;
    assert_eq!(Some(captured), shown.due_now.as_ref().map(|due| due.amount_minor));
    // Once more is no other charge.
    request_change(&env, plan(&shown)).await.unwrap_err();
    assert_eq!(env.charges().await, 2);

    env.until_idle().await;
    env.advance(TimeDelta::days(368)).await;
    env.events("subscription.renewed", 2).await;
    env.check_ledger().await;
}

#[tokio::test]
async fn offers_that_are_no_plan_are_refused() {
    let env = bought().await;
    // On sale, and no plan: a way to begin, and what is for the cards of one bank.
    for campaign in ["free-trial", "teb40"] {
        assert_eq!(preview(&env, campaign).await, Err("UNKNOWN_PRICE".into()));
    }
}
