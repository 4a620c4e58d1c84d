use crate::twin::APPROVED;
use crate::world::World;

#[tokio::test]
async fn member_sees_what_was_bought_at_the_price_that_was_paid() {
    let world = World::start().await;
    assert!(world.subscriptions().await.is_empty());
    let bought = world
        .buy("web-monthly", APPROVED)
        .await
        .unwrap()
        .subscription
        .unwrap();
    let listed = world.subscriptions().await;
    assert_eq!(listed, [bought]);
    assert_eq!(listed[0].price.as_ref().unwrap().amount_minor, 19_999);
}
