use std::time::Duration;

use proto::checkout::v1::ResolveCampaignRequest;
use sandbox::Action;
use serde_json::json;

use crate::twin::Twin;
use crate::world::World;

/// Two campaigns with and without the coupon and four without, in ten currencies, and three in lira alone. What is paid once
/// needs no price there.
const SHIPPED: usize = 2 * 2 * 10 + 4 * 10 + 3;

async fn stripe_price_id(world: &World) -> String {
    let request = ResolveCampaignRequest {
        campaign: "web-monthly".into(),
        language: "tr".into(),
        ..Default::default()
    };
    world
        .checkout
        .clone()
        .resolve_campaign(request)
        .await
        .unwrap()
        .into_inner()
        .stripe_price_id
}

async fn until_synced(world: &World) -> String {
    loop {
        let id = stripe_price_id(world).await;
        if !id.is_empty() {
            return id;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn until_all_synced(world: &World) -> String {
    let pool = world.pool().await;
    loop {
        let unsynced = "select count(*) from price where stripe_price_id is null and kind = 'subscription'";
        let unsynced: i64 = sqlx::query_scalar(unsynced).fetch_one(&pool).await.unwrap();
        if unsynced == 0 {
            return until_synced(world).await;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn price_count(twin: &Twin) -> usize {
    twin.list("prices?limit=100").await.len()
}

#[tokio::test]
async fn every_price_comes_to_exist_at_stripe_once() {
    let world = World::start().await;
    let id = tokio::time::timeout(Duration::from_secs(20), until_all_synced(&world))
        .await
        .unwrap();
    let prices = world.twin.list("prices?limit=100").await;
    assert_eq!(prices.len(), SHIPPED);
    let price = prices.iter().find(|price| price["id"] == id).unwrap();
    assert_eq!(
        (&price["unit_amount"], &price["currency"]),
        (&json!(19_999), &json!("try"))
    );
    assert_eq!(price["recurring"]["interval_count"], 1);

    sqlx::query("update price set stripe_price_id = null")
        .execute(&world.pool().await)
        .await
        .unwrap();
    world.host.run(checkout::part()).await;
    tokio::time::timeout(Duration::from_secs(20), until_all_synced(&world))
        .await
        .unwrap();
    assert_eq!(price_count(&world.twin).await, SHIPPED);
}

#[tokio::test]
async fn service_quotes_while_stripe_is_down_and_catches_up() {
    let world = World::start().await;
    world.twin.sabotage_all(
        "POST",
        "prices",
        Action::Error {
            status: 503,
            body: None,
            stored: None,
        },
    );
    assert_eq!(
        world
            .offer("web-monthly", "", "tr")
            .await
            .price
            .unwrap()
            .amount_minor,
        19_999
    );
    world.twin.end_sabotage();
    tokio::time::timeout(Duration::from_secs(20), until_synced(&world))
        .await
        .unwrap();
}
