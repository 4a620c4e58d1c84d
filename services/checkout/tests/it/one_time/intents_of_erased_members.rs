//! One-time orders of erased members.

use proto::checkout::v1::create_intent_request::Purpose;

use crate::one_time::create_intent::{deliver_all, open, pay, wanted, wanted_by_guest};
use crate::privacy::erase_member::erase;
use crate::privacy::export_member::export;
use crate::support::fake_provider::APPROVED;
use crate::support::test_env::{MEMBER, TestEnv};

#[tokio::test]
async fn erasure_anonymises_the_order_and_closes_open_payments() {
    let env = TestEnv::start().await;
    pay(&env, &wanted(&env, Purpose::Payment, "lifetime").await, APPROVED).await;
    deliver_all(&env).await;
    env.events("order.paid", 1).await;
    open(&env, &wanted(&env, Purpose::OneTime, "live-program").await)
        .await
        .unwrap();
    // As a guest, of another buyer.
    open(&env, &wanted_by_guest(&env, Purpose::Gift, "gift-year").await)
        .await
        .unwrap();
    let handed = export(&env, MEMBER).await;
    let mut kinds: Vec<&str> = handed.orders.iter().map(|order| order.kind.as_str()).collect();
    kinds.sort_unstable();
    assert_eq!(kinds, ["lifetime", "one_time"]);
    assert!(handed.orders.iter().all(|order| order.subscription.is_none()));

    erase(&env).await;
    let mut states: Vec<String> = env
        .fake_provider
        .list("payment_intents?limit=100")
        .await
        .iter()
        .map(|intent| intent["status"].as_str().unwrap().to_owned())
        .collect();
    states.sort_unstable();
    assert_eq!(states, ["canceled", "requires_payment_method", "succeeded"]);
    assert!(export(&env, MEMBER).await.orders.is_empty());
    let kept = "select count(*) from orders where state = 'paid' and user_id like 'erased_%'";
    let kept: i64 = sqlx::query_scalar(kept)
        .fetch_one(&env.pool().await)
        .await
        .unwrap();
    assert_eq!(kept, 1);
    env.check_ledger().await;
}
