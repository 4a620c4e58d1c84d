//! `SetSubscriptionAttribution`: once, and by the owner.

use kit::error::Failure;
use proto::checkout::v1::SetSubscriptionAttributionRequest;
use proto::common::v1::Tracking;

use crate::support::fake_provider::APPROVED;
use crate::support::test_env::{MEMBER, TestEnv};

#[tokio::test]
async fn attribution_is_added_and_never_overwritten() {
    let env = TestEnv::start().await;
    let bought = env.buy("web-monthly", APPROVED).await.unwrap();
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
        let answered = env.checkout.clone().set_subscription_attribution(request).await;
        answered.map_err(|status| Failure::from_status(&status).code)
    };
    note(MEMBER, "a-letter").await.unwrap();
    note(MEMBER, "somewhere-else").await.unwrap();
    assert_eq!(note("usr_other", "x").await.unwrap_err(), "UNKNOWN_SUBSCRIPTION");
    let kept: String = sqlx::query_scalar("select tracking->>'utm_source' from orders")
        .fetch_one(&env.pool().await)
        .await
        .unwrap();
    assert_eq!(kept, "a-letter");
}
