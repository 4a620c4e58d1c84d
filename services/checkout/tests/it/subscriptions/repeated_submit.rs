use std::collections::HashSet;

use futures::future::join_all;
use kit::error::Kind;

use crate::support::fake_provider::{APPROVED, DECLINED};
use crate::support::test_env::{MEMBER, TestEnv};

#[tokio::test]
async fn same_key_answers_the_same_and_charges_once() {
    let env = TestEnv::start().await;
    let card = env.fake_provider.card(APPROVED).await;
    let mut request = env.submit("web-monthly", &card).await;
    request.idempotency_key = "click-1".into();
    let first = env.pay(request.clone()).await.unwrap();
    assert_eq!(env.pay(request).await.unwrap(), first);
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test]
async fn same_key_answers_a_decline_again() {
    let env = TestEnv::start().await;
    let card = env.fake_provider.card(DECLINED).await;
    let mut request = env.submit("web-monthly", &card).await;
    request.idempotency_key = "click-1".into();
    let first = env.pay(request.clone()).await.unwrap_err();
    assert_eq!(env.pay(request).await.unwrap_err(), first);
    assert_eq!(env.events("subscription.payment_failed", 1).await.len(), 1);
}

#[tokio::test]
async fn same_key_with_another_body_is_a_conflict() {
    let env = TestEnv::start().await;
    let card = env.fake_provider.card(APPROVED).await;
    let mut request = env.submit("web-monthly", &card).await;
    request.idempotency_key = "click-1".into();
    env.pay(request.clone()).await.unwrap();
    request.country = "DE".into();
    let failure = env.pay(request).await.unwrap_err();
    assert_eq!(
        (failure.kind, failure.code.as_str()),
        (Kind::Conflict, "IDEMPOTENCY_CONFLICT")
    );
}

#[tokio::test]
async fn key_of_a_refused_request_can_be_used_again() {
    let env = TestEnv::start().await;
    let card = env.fake_provider.card(APPROVED).await;
    let mut request = env.submit("web-monthly", &card).await;
    request.idempotency_key = "click-1".into();
    request.coupon_code = "FREE".into();
    assert_eq!(env.pay(request.clone()).await.unwrap_err().code, "UNKNOWN_COUPON");
    request.coupon_code.clear();
    assert_eq!(env.pay(request).await.unwrap().payment_status, "succeeded");
}

/// All at once, as an impatient finger and a retrying proxy do.
async fn submit_at_once(env: &TestEnv, key_of: impl Fn(usize) -> String) {
    let card = env.fake_provider.card(APPROVED).await;
    let request = env.submit("web-monthly", &card).await;
    let submits = (0..32).map(|number| {
        let mut request = request.clone();
        request.idempotency_key = key_of(number);
        env.pay(request)
    });
    let answers = join_all(submits).await;
    let seen: HashSet<_> = answers
        .into_iter()
        .map(|answer| {
            let answer = answer.unwrap();
            let subscription = answer.subscription.unwrap();
            (
                subscription.subscription_id,
                subscription.status,
                answer.payment_status,
            )
        })
        .collect();
    assert_eq!(seen.len(), 1, "{seen:?}");
    assert_eq!(seen.into_iter().next().unwrap().2, "succeeded");
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    assert_eq!(env.events("order.paid", 1).await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_clicks_without_a_key_charge_once() {
    submit_at_once(&TestEnv::start().await, |_| String::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_clicks_with_one_key_charge_once() {
    submit_at_once(&TestEnv::start().await, |_| "one-key".into()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_clicks_with_keys_of_their_own_charge_once() {
    submit_at_once(&TestEnv::start().await, |number| format!("key-{number}")).await;
}

/// A member whose row is there already: no insert makes the clicks wait for one another.
#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn thirty_two_clicks_of_a_known_member_charge_once() {
    let env = TestEnv::start().await;
    sqlx::query("insert into customer (user_id, email, full_name, created_at) values ($1, 'a@example.com', '', now())")
        .bind(MEMBER)
        .execute(&env.pool().await)
        .await
        .unwrap();
    submit_at_once(&env, |_| String::new()).await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn cards_tokenised_anew_by_each_click_charge_once() {
    let env = TestEnv::start().await;
    let mut requests = Vec::new();
    for _ in 0..8 {
        let card = env.fake_provider.card(APPROVED).await;
        requests.push(env.submit("web-monthly", &card).await);
    }
    let answers = join_all(requests.into_iter().map(|request| env.pay(request))).await;
    let paid = answers.iter().filter(|answer| answer.is_ok()).count();
    assert!(paid >= 1);
    for refused in answers.iter().filter_map(|answer| answer.as_ref().err()) {
        assert_eq!(refused.code, "ALREADY_SUBSCRIBED");
    }
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    env.check_ledger().await;
}

#[tokio::test(flavor = "multi_thread", worker_threads = 4)]
async fn two_prices_of_one_product_at_once_charge_once() {
    let env = TestEnv::start().await;
    let plain = env
        .submit("web-monthly", &env.fake_provider.card(APPROVED).await)
        .await;
    let mut discounted = env
        .submit("web-monthly", &env.fake_provider.card(APPROVED).await)
        .await;
    discounted.price_id = env.offer("web-monthly", "WELCOME20", "tr").await.price_id;
    discounted.coupon_code = "WELCOME20".into();

    let (one, other) = tokio::join!(env.pay(plain), env.pay(discounted));
    let answers = [one, other];
    assert_eq!(
        answers.iter().filter(|answer| answer.is_ok()).count(),
        1,
        "{answers:?}"
    );
    let refused = answers.iter().find_map(|answer| answer.as_ref().err()).unwrap();
    assert!(
        matches!(
            refused.code.as_str(),
            "PAYMENT_IN_PROGRESS" | "ALREADY_SUBSCRIBED"
        ),
        "{refused}"
    );
    assert_eq!(env.fake_provider.captured_charges().await.len(), 1);
    env.check_ledger().await;
}
