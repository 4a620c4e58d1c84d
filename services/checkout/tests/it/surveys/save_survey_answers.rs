//! Survey answers: what is stored, and its retention.

use chrono::TimeDelta;
use proto::checkout::v1::{CreateSurveyOrderRequest, SaveSurveyAnswersRequest};

use crate::support::subscription_probe::{ONE_MINUTE, within};
use crate::support::test_env::{MEMBER, TestEnv};
use crate::surveys::calls::{begin, chosen, claim, read, save, saved};

#[tokio::test]
async fn answers_are_stored_and_can_be_replaced() {
    let env = TestEnv::start().await;
    let order = begin(&env, 15).await;
    saved(
        &env,
        save(
            &order,
            &[("categories", &["101", "102"]), ("nights", &["slowly"])],
        ),
    )
    .await
    .unwrap();
    saved(&env, save(&order, &[("nights", &["easily"])]))
        .await
        .unwrap();
    let with_program = SaveSurveyAnswersRequest {
        program: "sleep".into(),
        ..save(&order, &[])
    };
    saved(&env, with_program).await.unwrap();

    let survey = read(&env, &order.order_id, &order.access_key, "").await.unwrap();
    assert_eq!(
        chosen(&survey),
        [("categories", vec!["101", "102"]), ("nights", vec!["easily"])]
    );
    assert_eq!((survey.variant, survey.program.as_str()), (15, "sleep"));
}

#[tokio::test]
async fn free_text_is_rejected_and_nothing_of_the_call_is_stored() {
    let env = TestEnv::start().await;
    let order = begin(&env, 15).await;
    let request = save(&order, &[("nights", &["slowly"]), ("about", &["My name is Ada"])]);
    assert_eq!(saved(&env, request).await.unwrap_err(), "INVALID_ARGUMENT");
    assert_eq!(env.count("select count(*) from survey_answer").await, 0);
}

#[tokio::test]
async fn a_survey_holds_forty_questions_however_they_arrive() {
    let env = TestEnv::start().await;
    let order = begin(&env, 15).await;
    for number in 0..40 {
        let question = format!("q{number}");
        saved(&env, save(&order, &[(question.as_str(), &["a"])]))
            .await
            .unwrap();
    }
    assert_eq!(
        saved(&env, save(&order, &[("q40", &["a"])])).await.unwrap_err(),
        "INVALID_ARGUMENT"
    );
    saved(&env, save(&order, &[("q39", &["b"])])).await.unwrap();
}

#[tokio::test]
async fn same_idempotency_key_opens_the_same_answers() {
    let env = TestEnv::start().await;
    let request = CreateSurveyOrderRequest {
        lang: "tr".into(),
        idempotency_key: "key".into(),
        ..Default::default()
    };
    let mut checkout = env.checkout.clone();
    let first = checkout
        .create_survey_order(request.clone())
        .await
        .unwrap()
        .into_inner();
    let again = checkout.create_survey_order(request).await.unwrap().into_inner();
    assert_eq!(first, again);
    saved(&env, save(&again, &[("nights", &["slowly"])]))
        .await
        .unwrap();
}

#[tokio::test]
async fn answers_are_in_no_event_and_go_with_their_member() {
    let env = TestEnv::start().await;
    let request = CreateSurveyOrderRequest {
        lang: "tr".into(),
        idempotency_key: "key".into(),
        ..Default::default()
    };
    let order = env.checkout.clone().create_survey_order(request).await;
    let order = order.unwrap().into_inner();
    let request = SaveSurveyAnswersRequest {
        user_id: MEMBER.into(),
        program: "quiet-sentinel".into(),
        ..save(&order, &[("nights", &["loud-sentinel"])])
    };
    saved(&env, request).await.unwrap();
    let query = "select count(*) from outbox where event::text like '%sentinel%'";
    assert_eq!(env.count(query).await, 0);
    crate::privacy::erase_member::erase(&env).await;
    assert_eq!(env.count("select count(*) from survey_answer").await, 0);
    assert_eq!(env.count("select count(*) from survey_order").await, 0);
    // The answer to a repeat of the call holds the key.
    assert_eq!(env.count("select count(*) from idempotency").await, 0);
}

#[tokio::test]
async fn answers_that_no_member_claimed_are_deleted_after_a_month() {
    let env = TestEnv::start().await;
    let (left, claimed) = (begin(&env, 15).await, begin(&env, 15).await);
    for order in [&left, &claimed] {
        saved(&env, save(order, &[("nights", &["slowly"])]))
            .await
            .unwrap();
    }
    claim(&env, MEMBER, &claimed.order_id, &claimed.access_key)
        .await
        .unwrap();
    env.advance(TimeDelta::days(31)).await;
    let is_gone = async || read(&env, &left.order_id, &left.access_key, "").await.is_err();
    within(&env, ONE_MINUTE, is_gone).await;
    assert_eq!(env.count("select count(*) from survey_answer").await, 1);
    assert_eq!(chosen(&read(&env, "", "", MEMBER).await.unwrap()).len(), 1);
}
