use crate::world::World;

#[tokio::test]
async fn new_campaigns_are_announced_and_unchanged_ones_are_not() {
    let world = World::start().await;
    let announced = world.events("campaign.published", 2).await;
    let codes: Vec<_> = announced
        .iter()
        .map(|event| event.data["campaign"].as_str().unwrap())
        .collect();
    assert_eq!(codes, ["web-annual", "web-monthly"]);

    let before = world.offer("web-annual", "", "tr").await;
    world.host.run(checkout::part()).await;
    assert_eq!(
        world.offer("web-annual", "", "tr").await.price_id,
        before.price_id
    );
    let pool = world.pool().await;
    let written: i64 =
        sqlx::query_scalar("select count(*) from outbox where event->>'type' like '%published'")
            .fetch_one(&pool)
            .await
            .unwrap();
    assert_eq!(written, 2);
}

#[tokio::test]
async fn changed_amount_is_a_new_price_and_the_old_one_is_off_sale() {
    let world = World::start().await;
    let before = world.offer("web-monthly", "", "tr").await;
    sqlx::query("update price set amount_minor = 17999, lookup_key = 'older' where amount_minor = 19999")
        .execute(&world.pool().await)
        .await
        .unwrap();

    world.host.run(checkout::part()).await;
    let after = world.offer("web-monthly", "", "tr").await;
    assert_ne!(after.price_id, before.price_id);
    assert_eq!(after.price.unwrap().amount_minor, 19_999);

    let mut request = world.submit("web-monthly", "pm_1").await;
    request.price_id = before.price_id;
    assert_eq!(world.pay(request).await.unwrap_err().code, "UNKNOWN_PRICE");
}
