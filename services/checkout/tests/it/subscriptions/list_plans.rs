//! `ListPlans`: the plans that a subscription can be changed to.

use kit::error::Failure;
use proto::checkout::v1::ListPlansRequest;

use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::SubscriptionProbe;
use crate::support::test_env::{MEMBER, TestEnv};

async fn plans(env: &TestEnv, user_id: &str) -> Result<Vec<(String, bool)>, String> {
    let request = ListPlansRequest {
        user_id: user_id.into(),
        subscription_id: env.subscriptions().await[0].subscription_id.clone(),
    };
    let answered = env.checkout.clone().list_plans(request).await;
    let answered = answered.map_err(|status| Failure::from_status(&status).code)?;
    let plans = answered.into_inner().plans;
    assert!(
        plans
            .iter()
            .all(|plan| plan.price.as_ref().unwrap().currency == "TRY")
    );
    Ok(plans
        .into_iter()
        .map(|plan| (plan.campaign, plan.current))
        .collect())
}

#[tokio::test]
async fn plans_are_those_that_can_be_changed_to() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    // The year by its own campaign: not by those that only lead in, nor by those that are for some people.
    let listed = plans(&env, MEMBER).await.unwrap();
    let expected = [("web-monthly", true), ("web-annual", false)];
    assert_eq!(
        listed,
        expected.map(|(campaign, current)| (campaign.to_owned(), current))
    );
    let stranger = "usr_0192f0c0a0007000800000000000000b";
    assert_eq!(plans(&env, stranger).await, Err("UNKNOWN_SUBSCRIPTION".into()));
}

#[tokio::test]
async fn trial_shows_its_own_plan_alone() {
    let env = TestEnv::start().await;
    env.buy("web-annual", APPROVED).await.unwrap();
    env.until_idle().await;
    let listed = plans(&env, MEMBER).await.unwrap();
    assert_eq!(listed, [("web-annual".to_owned(), true)]);
}
