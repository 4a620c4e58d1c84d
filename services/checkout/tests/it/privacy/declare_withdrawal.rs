//! Withdrawals from a contract: declared by anyone, accepted by an operator.

use chrono::TimeDelta;
use kit::error::Failure;
use proto::checkout::v1::{DeclareWithdrawalRequest, DeclareWithdrawalResponse};
use sandbox::Action;

use crate::operations::ledger_cli::said;
use crate::privacy::erase_member::erase;
use crate::privacy::export_member::export;
use crate::privacy::get_withdrawal::found;
use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::{SubscriptionProbe, until};
use crate::support::test_env::{MEMBER, TestEnv};

pub fn ada() -> DeclareWithdrawalRequest {
    DeclareWithdrawalRequest {
        full_name: "Ada Lovelace".into(),
        email: "Ada@Example.com".into(),
        reference: "ord_1".into(),
        language: "de".into(),
        ..Default::default()
    }
}

pub async fn declare(
    env: &TestEnv,
    request: DeclareWithdrawalRequest,
) -> Result<DeclareWithdrawalResponse, Failure> {
    let answered = env.checkout.clone().declare_withdrawal(request).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status))
}

/// A paid month and its declared withdrawal: the ids of the order and the withdrawal.
async fn bought_and_withdrawn(env: &TestEnv) -> (String, String) {
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    let order = env.accounts().await[0].order.order_id.to_string();
    (order, declare(env, ada()).await.unwrap().withdrawal_id)
}

async fn given_back(env: &TestEnv) -> Vec<i64> {
    let refunds = env.fake_provider.list("refunds?limit=100").await;
    refunds
        .iter()
        .map(|refund| refund["amount"].as_i64().unwrap())
        .collect()
}

#[tokio::test]
async fn declaration_is_stored_and_emitted_without_personal_data() {
    let env = TestEnv::start().await;
    let declared = declare(&env, ada()).await.unwrap();
    assert!(declared.withdrawal_id.starts_with("wdr_"));
    let now = env.host.clock().now();
    assert_eq!(declared.received_at.unwrap().seconds, now.timestamp());
    let event = &env.events("withdrawal.received", 1).await[0];
    let text = event.data.to_string();
    for personal in ["Ada", "ada@", "Lovelace", "ord_1"] {
        assert!(!text.contains(personal), "{text}");
    }
    assert_eq!(event.data["withdrawalId"], declared.withdrawal_id.as_str());
    assert_eq!(event.data["hadReference"], true);
    assert_eq!(event.lang.as_deref(), Some("de"));
}

#[tokio::test]
async fn one_key_is_one_declaration_and_faults_are_named() {
    let env = TestEnv::start().await;
    let keyed = DeclareWithdrawalRequest {
        idempotency_key: "k-1".into(),
        ..ada()
    };
    let first = declare(&env, keyed.clone()).await.unwrap();
    env.advance(TimeDelta::minutes(5)).await;
    let again = futures::future::join_all((0..4).map(|_| declare(&env, keyed.clone()))).await;
    for answer in again {
        assert_eq!(
            answer.unwrap(),
            first,
            "the same id, and the moment it was declared"
        );
    }
    let other = DeclareWithdrawalRequest {
        reference: "ord_2".into(),
        ..keyed
    };
    assert_eq!(
        declare(&env, other).await.unwrap_err().code,
        "IDEMPOTENCY_CONFLICT"
    );
    let faulty = DeclareWithdrawalRequest {
        language: "de".into(),
        ..Default::default()
    };
    let refused = declare(&env, faulty).await.unwrap_err();
    assert_eq!(refused.code, "VALIDATION_FAILED");
    let fields: Vec<_> = refused.fields.iter().map(|fault| fault.field.as_str()).collect();
    assert_eq!(fields, ["full_name", "email"]);
    env.events("withdrawal.received", 1).await;
}

#[tokio::test]
async fn confirmation_mails_per_address_are_limited() {
    let env = TestEnv::start().await;
    for _ in 0..10 {
        declare(&env, ada()).await.unwrap();
    }
    assert_eq!(
        declare(&env, ada()).await.unwrap_err().code,
        "TOO_MANY_WITHDRAWALS"
    );
    env.advance(TimeDelta::hours(25)).await;
    declare(&env, ada()).await.unwrap();
}

#[tokio::test]
async fn declarations_are_append_only() {
    let env = TestEnv::start().await;
    let id = declare(&env, ada()).await.unwrap().withdrawal_id;
    let pool = env.pool().await;
    for statement in [
        "update withdrawal set reference = 'ord_2'",
        "update withdrawal set received_at = received_at - interval '1 day', full_name = '', email = '', reference = ''",
        "delete from withdrawal_event",
        "update withdrawal_event set occurred_at = occurred_at + interval '1 day'",
        "truncate withdrawal cascade",
    ] {
        let refused = sqlx::query(statement).execute(&pool).await.unwrap_err();
        let refused = refused.into_database_error().unwrap();
        assert_eq!(
            refused.constraint(),
            Some("withdrawal_append_only"),
            "{statement}"
        );
    }
    assert_eq!(found(&env, &id).await.unwrap().reference, "ord_1");
}

#[tokio::test]
async fn acceptance_refunds_terminates_and_emits_once() {
    let env = TestEnv::start().await;
    let (order, id) = bought_and_withdrawn(&env).await;
    let listed = said(&env, &["withdrawals", "list"], 0).await;
    assert!(
        listed.contains(&id) && listed.contains("1 not accepted") && listed.contains("ada@example.com"),
        "{listed}"
    );
    for _ in 0..2 {
        let output = said(&env, &["withdrawals", "accept", &id, "--order", &order], 0).await;
        assert!(output.contains("199.99"), "{output}");
    }
    env.until_status("canceled").await;
    until(async || given_back(&env).await == [19_999]).await;
    let event = &env.events("withdrawal.accepted", 1).await[0];
    assert_eq!(event.data["amount"]["amountMinor"], "19999");
    assert_eq!(event.data["orderId"], order.as_str());
    env.events("subscription.canceled", 1).await;
    env.events("refund.succeeded", 1).await;
    let other = "ord_0192f0c0a0007000800000000000000a";
    let refused = said(&env, &["withdrawals", "accept", &id, "--order", other], 2).await;
    assert!(refused.contains("no such order"), "{refused}");
    let listed = said(&env, &["withdrawals", "list"], 0).await;
    assert!(listed.contains("accepted for ord_"), "{listed}");
    env.check_ledger().await;
}

#[tokio::test]
async fn only_captures_of_the_last_fortnight_are_refunded() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    env.until_idle().await;
    env.advance(TimeDelta::days(32)).await;
    env.events("subscription.renewed", 1).await;
    env.until_idle().await;
    let order = env.accounts().await[0].order.order_id.to_string();
    let id = declare(&env, ada()).await.unwrap().withdrawal_id;
    let output = said(&env, &["withdrawals", "accept", &id, "--order", &order], 0).await;
    assert!(output.contains("199.99"), "one month of two: {output}");
    env.until_status("canceled").await;
    env.events("refund.succeeded", 1).await;
    assert_eq!(given_back(&env).await, [19_999]);
    env.check_ledger().await;
}

#[tokio::test]
async fn trial_is_terminated_without_a_refund() {
    let env = TestEnv::start().await;
    env.buy("web-annual", APPROVED).await.unwrap();
    env.until_idle().await;
    let order = env.accounts().await[0].order.order_id.to_string();
    let id = declare(&env, ada()).await.unwrap().withdrawal_id;
    let output = said(&env, &["withdrawals", "accept", &id, "--order", &order], 0).await;
    assert!(output.contains("nothing goes back"), "{output}");
    env.until_status("canceled").await;
    assert_eq!(env.fake_provider.subscriptions().await[0]["status"], "canceled");
    let event = &env.events("withdrawal.accepted", 1).await[0];
    assert!(event.data.get("amount").is_none(), "{}", event.data);
    assert_eq!(env.charges().await, 0);
}

#[tokio::test]
async fn lost_answers_to_a_termination_are_resolved() {
    for action in [Action::DropBefore {}, Action::DropAfterCommit {}] {
        let env = TestEnv::start().await;
        let (order, id) = bought_and_withdrawn(&env).await;
        env.fake_provider
            .inject_fault("DELETE", "subscriptions/sub_*", action);
        said(&env, &["withdrawals", "accept", &id, "--order", &order], 0).await;
        until(async || env.fake_provider.is_fault_active()).await;
        env.advance(TimeDelta::minutes(1)).await;
        env.until_status("canceled").await;
        env.events("refund.succeeded", 1).await;
        assert_eq!(given_back(&env).await, [19_999]);
        env.check_ledger().await;
    }
}

#[tokio::test]
async fn erasure_empties_the_declaration() {
    let env = TestEnv::start().await;
    env.buy("web-monthly", APPROVED).await.unwrap();
    let signed_in = DeclareWithdrawalRequest {
        user_id: MEMBER.into(),
        ..ada()
    };
    let by_address = DeclareWithdrawalRequest {
        email: "buyer@example.com".into(),
        ..ada()
    };
    let theirs = declare(&env, signed_in).await.unwrap().withdrawal_id;
    let also_theirs = declare(&env, by_address).await.unwrap().withdrawal_id;
    let others = declare(&env, ada()).await.unwrap().withdrawal_id;
    assert_eq!(export(&env, MEMBER).await.withdrawals.len(), 1);
    erase(&env).await;
    for erased in [&theirs, &also_theirs] {
        assert_eq!(found(&env, erased).await, Err("UNKNOWN_WITHDRAWAL".into()));
    }
    assert!(found(&env, &others).await.is_ok());
    let steps = "select count(*) from withdrawal_event where kind = 'erased'";
    assert_eq!(env.count(steps).await, 2);

    for expected in ["erased", "was erased before"] {
        let output = said(&env, &["withdrawals", "erase", &others], 0).await;
        assert!(output.contains(expected), "{output}");
    }
    assert_eq!(found(&env, &others).await, Err("UNKNOWN_WITHDRAWAL".into()));
    assert_eq!(
        env.count("select count(*) from withdrawal where email <> ''")
            .await,
        0
    );
}
