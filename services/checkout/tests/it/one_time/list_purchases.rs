use proto::checkout::v1::create_intent_request::Purpose;
use proto::checkout::v1::{ListPurchasesRequest, Provider, Purchase};

use crate::one_time::create_intent::{deliver_all, pay, wanted, wanted_by_guest};
use crate::operations::ledger_cli::said;
use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::until;
use crate::support::test_env::{MEMBER, TestEnv};

async fn listed(env: &TestEnv, user_id: &str) -> Vec<Purchase> {
    let request = ListPurchasesRequest {
        user_id: user_id.into(),
    };
    let answered = env.checkout.clone().list_purchases(request).await;
    answered.unwrap().into_inner().purchases
}

async fn buy(env: &TestEnv, purpose: Purpose, campaign: &str) -> String {
    let request = wanted(env, purpose, campaign).await;
    let opened = pay(env, &request, APPROVED).await;
    deliver_all(env).await;
    opened.order_id
}

#[tokio::test]
async fn member_sees_what_was_paid_once_with_its_receipt_newest_first() {
    let env = TestEnv::start().await;
    assert_eq!(listed(&env, MEMBER).await, []);
    let lifetime = buy(&env, Purpose::Payment, "lifetime").await;
    env.advance(chrono::TimeDelta::minutes(1)).await;
    let program = buy(&env, Purpose::OneTime, "live-program").await;

    let bought = listed(&env, MEMBER).await;
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
    assert!(env.subscriptions().await.is_empty());
}

#[tokio::test]
async fn unpaid_and_foreign_orders_are_not_listed() {
    let env = TestEnv::start().await;
    crate::one_time::create_intent::open(&env, &wanted(&env, Purpose::Payment, "lifetime").await)
        .await
        .unwrap();
    let by_guest = wanted_by_guest(&env, Purpose::OneTime, "live-program").await;
    pay(&env, &by_guest, APPROVED).await;
    deliver_all(&env).await;
    env.events("order.paid", 1).await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    assert_eq!(listed(&env, MEMBER).await, []);
}

#[tokio::test]
async fn refunds_are_listed_beside_payments() {
    let env = TestEnv::start().await;
    let order = buy(&env, Purpose::OneTime, "live-program").await;
    said(&env, &["refund", &order, "1000", "--ticket", "T-1"], 0).await;
    until(async || listed(&env, MEMBER).await[0].refunded.is_some()).await;
    let refunded = listed(&env, MEMBER).await.remove(0).refunded.unwrap();
    assert_eq!((refunded.amount_minor, refunded.currency.as_str()), (1000, "TRY"));
}
