//! What the full refund of a one-time order closes, and what its return opens again.

use kit::bus::CloudEvent;
use proto::checkout::v1::create_intent_request::Purpose;
use serde_json::{Value, json};

use crate::one_time::create_intent::{deliver_all, pay, wanted};
use crate::operations::ledger_cli::said;
use crate::support::fake_provider::{APPROVED, DISPUTED};
use crate::support::test_env::TestEnv;

const REFUNDED: &str = "refund.succeeded";

/// The order's id.
async fn bought(env: &TestEnv, purpose: Purpose, campaign: &str, card: &str) -> String {
    let request = wanted(env, purpose, campaign).await;
    let order_id = pay(env, &request, card).await.order_id;
    deliver_all(env).await;
    env.events("order.paid", 1).await;
    order_id
}

/// JSON omits an empty list.
fn closes(event: &CloudEvent) -> &Value {
    &event.data["closes"]
}

#[tokio::test]
async fn only_the_refund_that_completes_it_closes_the_order() {
    let env = TestEnv::start().await;
    let order = bought(&env, Purpose::Payment, "lifetime", APPROVED).await;
    said(&env, &["refund", &order, "1000", "--ticket", "T-1"], 0).await;
    env.events(REFUNDED, 1).await;
    said(&env, &["refund", &order, "--ticket", "T-2"], 0).await;
    let refunded = env.events(REFUNDED, 2).await;
    assert_eq!(closes(&refunded[0]), &Value::Null);
    assert_eq!(closes(&refunded[1]), &json!(["premium"]));
    env.check_ledger().await;
}

#[tokio::test]
async fn full_refund_of_what_opened_nothing_closes_nothing() {
    let env = TestEnv::start().await;
    let order = bought(&env, Purpose::OneTime, "live-program", APPROVED).await;
    said(&env, &["refund", &order, "--ticket", "T-1"], 0).await;
    assert_eq!(closes(&env.events(REFUNDED, 1).await[0]), &Value::Null);
}

#[tokio::test]
async fn dispute_closes_the_order_until_it_is_won() {
    let env = TestEnv::start().await;
    let order = bought(&env, Purpose::Payment, "lifetime", DISPUTED).await;
    let disputed = &env.events(REFUNDED, 1).await[0];
    assert_eq!(disputed.data["reason"], "disputed");
    assert_eq!(closes(disputed), &json!(["premium"]));

    let dispute = env.fake_provider.list("disputes").await.remove(0);
    env.fake_provider
        .win_dispute(dispute["id"].as_str().unwrap())
        .await;
    deliver_all(&env).await;
    let returned = &env.events("refund.returned", 1).await[0];
    assert_eq!(returned.data["orderId"], order);
    assert_eq!(returned.data["refundId"], disputed.data["refundId"]);
    assert_eq!(returned.data["reason"], "disputed");
    assert_eq!(returned.data["opens"], json!(["premium"]));
    env.check_ledger().await;
}
