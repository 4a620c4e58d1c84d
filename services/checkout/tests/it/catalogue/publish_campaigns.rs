use crate::support::campaign_files::Seeds;
use crate::support::fake_provider::APPROVED;
use crate::support::test_env::TestEnv;

const SHIPPED: [&str; 14] = [
    "addition-coaching",
    "addition-therapy",
    "cdc25",
    "coaching-monthly",
    "free-trial",
    "gift-year",
    "lifetime",
    "live-program",
    "paid-trial",
    "teb40",
    "therapy-monthly",
    "turkcell",
    "web-annual",
    "web-monthly",
];

#[tokio::test]
async fn new_campaigns_are_announced_and_unchanged_ones_are_not() {
    let env = TestEnv::start().await;
    let announced = env.events("campaign.published", SHIPPED.len()).await;
    let codes: Vec<_> = announced
        .iter()
        .map(|event| event.data["campaign"].as_str().unwrap())
        .collect();
    assert_eq!(codes, SHIPPED);

    let before = env.offer("web-annual", "", "tr").await;
    env.host.run(checkout::definition()).await;
    assert_eq!(env.offer("web-annual", "", "tr").await.price_id, before.price_id);
    let pool = env.pool().await;
    let written: i64 =
        sqlx::query_scalar("select count(*) from outbox where event->>'type' like '%published'")
            .fetch_one(&pool)
            .await
            .unwrap();
    assert_eq!(usize::try_from(written), Ok(SHIPPED.len()));
}

#[tokio::test]
async fn changed_amount_is_a_new_price_and_the_old_one_is_off_sale() {
    let seeds = Seeds::shipped();
    let env = TestEnv::start_with([("CHECKOUT_SEED_DIR", seeds.path())]).await;
    let before = env.offer("web-monthly", "", "tr").await;
    seeds.change("web-monthly.yaml", "199.99", "179.99");

    env.host.run(checkout::definition()).await;
    let after = env.offer("web-monthly", "", "tr").await;
    assert_ne!(after.price_id, before.price_id);
    assert_eq!(after.price.unwrap().amount_minor, 17_999);

    let mut request = env.submit("web-monthly", "pm_1").await;
    request.price_id = before.price_id;
    assert_eq!(env.pay(request).await.unwrap_err().code, "UNKNOWN_PRICE");
}

#[tokio::test]
async fn removed_campaign_is_retired_and_kept_for_its_orders() {
    let seeds = Seeds::shipped();
    let env = TestEnv::start_with([("CHECKOUT_SEED_DIR", seeds.path())]).await;
    env.buy("cdc25", APPROVED).await.unwrap();
    seeds.remove("cdc25.yaml");

    env.host.run(checkout::definition()).await;
    let gone = env.resolve("cdc25", "", "tr").await.unwrap_err();
    assert_eq!(gone.code, "UNKNOWN_CAMPAIGN");
    assert_eq!(env.subscriptions().await[0].status, "trialing");
    env.check_ledger().await;
}
