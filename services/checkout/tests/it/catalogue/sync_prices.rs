use std::time::Duration;

use proto::checkout::v1::ResolveCampaignRequest;
use sandbox::Action;
use serde_json::json;

use crate::support::fake_provider::FakeProvider;
use crate::support::test_env::TestEnv;

/// Two campaigns with and without the coupon and four without, in ten currencies, and three in lira alone. What is paid once
/// needs no price there.
const SHIPPED: usize = 2 * 2 * 10 + 4 * 10 + 3;

async fn stripe_price_id(env: &TestEnv) -> String {
    let request = ResolveCampaignRequest {
        campaign: "web-monthly".into(),
        language: "tr".into(),
        ..Default::default()
    };
    env.checkout
        .clone()
        .resolve_campaign(request)
        .await
        .unwrap()
        .into_inner()
        .stripe_price_id
}

async fn until_synced(env: &TestEnv) -> String {
    loop {
        let id = stripe_price_id(env).await;
        if !id.is_empty() {
            return id;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn until_all_synced(env: &TestEnv) -> String {
    let pool = env.pool().await;
    loop {
        let unsynced = "select count(*) from price where stripe_price_id is null and kind = 'subscription'";
        let unsynced: i64 = sqlx::query_scalar(unsynced).fetch_one(&pool).await.unwrap();
        if unsynced == 0 {
            return until_synced(env).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn price_count(fake_provider: &FakeProvider) -> usize {
    fake_provider.list("prices?limit=100").await.len()
}

#[tokio::test]
async fn every_price_is_created_once_at_stripe() {
    let env = TestEnv::start().await;
    let id = tokio::time::timeout(Duration::from_mins(1), until_all_synced(&env))
        .await
        .unwrap();
    let prices = env.fake_provider.list("prices?limit=100").await;
    assert_eq!(prices.len(), SHIPPED);
    let price = prices.iter().find(|price| price["id"] == id).unwrap();
    assert_eq!(
        (&price["unit_amount"], &price["currency"]),
        (&json!(19_999), &json!("try"))
    );
    assert_eq!(price["recurring"]["interval_count"], 1);

    sqlx::query("update price set stripe_price_id = null")
        .execute(&env.pool().await)
        .await
        .unwrap();
    env.host.run(checkout::definition()).await;
    tokio::time::timeout(Duration::from_mins(1), until_all_synced(&env))
        .await
        .unwrap();
    assert_eq!(price_count(&env.fake_provider).await, SHIPPED);
}

#[tokio::test]
async fn service_quotes_while_stripe_is_down_and_catches_up() {
    let env = TestEnv::start().await;
    env.fake_provider.sabotage_all(
        "POST",
        "prices",
        Action::Error {
            status: 503,
            body: None,
            stored: None,
        },
    );
    assert_eq!(
        env.offer("web-monthly", "", "tr")
            .await
            .price
            .unwrap()
            .amount_minor,
        19_999
    );
    env.fake_provider.clear_faults();
    tokio::time::timeout(Duration::from_mins(1), until_synced(&env))
        .await
        .unwrap();
}
