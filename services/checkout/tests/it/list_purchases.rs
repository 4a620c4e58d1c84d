use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{ListPurchasesRequest, Provider, Purchase};

use crate::books::said;
use crate::intents::{deliver_all, pay, wanted, wanted_by_guest};
use crate::life::until;
use crate::twin::APPROVED;
use crate::world::{MEMBER, World};

async fn listed(world: &World, user_id: &str) -> Vec<Purchase> {
    let request = ListPurchasesRequest {
        user_id: user_id.into(),
    };
    let answered = world.checkout.clone().list_purchases(request).await;
    answered.unwrap().into_inner().purchases
}

async fn buy(world: &World, purpose: Purpose, campaign: &str) -> String {
    let request = wanted(world, purpose, campaign).await;
    let opened = pay(world, &request, APPROVED).await;
    deliver_all(world).await;
    opened.order_id
}

#[tokio::test]
async fn member_sees_what_was_paid_once_with_its_receipt_newest_first() {
    let world = World::start().await;
    assert_eq!(listed(&world, MEMBER).await, []);
    let lifetime = buy(&world, Purpose::Payment, "lifetime").await;
    world.advance(chrono::TimeDelta::minutes(1)).await;
    let program = buy(&world, Purpose::OneTime, "live-program").await;

    let bought = listed(&world, MEMBER).await;
    let orders: Vec<(&str, &str)> = bought
        .iter()
        .map(|one| (one.order_id.as_str(), one.kind.as_str()))
        .collect();
    assert_eq!(
        orders,
        [(program.as_str(), "one_time"), (lifetime.as_str(), "lifetime")]
    );
    let [receipt] = &bought[1].receipts[..] else {
        panic!("{bought:?}");
    };
    assert!(receipt.payment_id.starts_with("pay_"), "{receipt:?}");
    assert_eq!(
        (&receipt.amount, &receipt.paid_at),
        (&bought[1].price, &bought[1].paid_at)
    );
    assert_eq!(bought[1].product, "premium-lifetime");
    assert_eq!(bought[1].provider(), Provider::Stripe);
    assert_eq!(bought[1].refunded, None);
    // Nothing of it is a subscription.
    assert!(world.subscriptions().await.is_empty());
}

#[tokio::test]
async fn what_is_not_paid_or_not_theirs_is_not_listed() {
    let world = World::start().await;
    crate::intents::open(&world, &wanted(&world, Purpose::Payment, "lifetime").await)
        .await
        .unwrap();
    let by_guest = wanted_by_guest(&world, Purpose::OneTime, "live-program").await;
    pay(&world, &by_guest, APPROVED).await;
    deliver_all(&world).await;
    world.events("order.paid", 1).await;
    world.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(listed(&world, MEMBER).await, []);
}

#[tokio::test]
async fn what_was_given_back_is_shown_beside_what_was_paid() {
    let world = World::start().await;
    let order = buy(&world, Purpose::OneTime, "live-program").await;
    said(&world, &["refund", &order, "1000", "--ticket", "T-1"], 0).await;
    until(async || listed(&world, MEMBER).await[0].refunded.is_some()).await;
    let refunded = listed(&world, MEMBER).await.remove(0).refunded.unwrap();
    assert_eq!((refunded.amount_minor, refunded.currency.as_str()), (1000, "TRY"));
}
