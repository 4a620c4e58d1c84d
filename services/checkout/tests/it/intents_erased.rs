//! What is paid once, when its buyer leaves.

use proto::checkout::v1::create_intent_request::Purpose;

use crate::erase_member::{erase, export};
use crate::intents::{deliver_all, guest_of, open, pay, wanted, wanted_by_guest};
use crate::twin::APPROVED;
use crate::world::{MEMBER, World};

#[tokio::test]
async fn sale_stays_without_its_buyer_and_what_is_open_is_closed() {
    let world = World::start().await;
    let lifetime = pay(
        &world,
        &wanted(&world, Purpose::Payment, "lifetime").await,
        APPROVED,
    )
    .await;
    deliver_all(&world).await;
    world.events("order.paid", 1).await;
    open(&world, &wanted(&world, Purpose::OneTime, "live-program").await)
        .await
        .unwrap();
    // As a guest, of somebody else.
    let gift = open(&world, &wanted_by_guest(&world, Purpose::Gift, "gift-year").await)
        .await
        .unwrap();
    let nobody = Err("UNKNOWN_ORDER".to_owned());
    assert_eq!(guest_of(&world, &lifetime.order_id).await, nobody, "a member's");
    assert_eq!(
        guest_of(&world, &gift.order_id).await,
        nobody,
        "who has not said who they are"
    );
    assert_eq!(guest_of(&world, "ord_1").await, nobody);
    let handed = export(&world, MEMBER).await;
    let mut kinds: Vec<&str> = handed.orders.iter().map(|order| order.kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["lifetime", "one_time"]);
    assert!(handed.orders.iter().all(|order| order.subscription.is_none()));

    erase(&world).await;
    let mut states: Vec<String> = world
        .twin
        .list("payment_intents?limit=100")
        .await
        .iter()
        .map(|intent| intent["status"].as_str().unwrap().to_owned())
        .collect();
    states.sort_unstable();
    assert_eq!(states, ["canceled", "requires_payment_method", "succeeded"]);
    assert!(export(&world, MEMBER).await.orders.is_empty());
    let kept = "select count(*) from orders where state = 'paid' and user_id like 'erased_%'";
    let kept: i64 = sqlx::query_scalar(kept)
        .fetch_one(&world.pool().await)
        .await
        .unwrap();
    assert_eq!(kept, 1);
    world.check_books().await;
}
