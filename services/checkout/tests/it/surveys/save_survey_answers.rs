//! Survey answers: who can write and read them, and their retention.

use chrono::TimeDelta;
use kit::error::Failure;
use proto::checkout::v1::{
    ClaimSurveyOrderRequest, CreateSurveyOrderRequest, CreateSurveyOrderResponse,
    CreateSurveyPlaylistRequest, ExportMemberRequest, GetSurveyRequest, GetSurveyResponse,
    SaveSurveyAnswersRequest, SurveyAnswer,
};

use crate::support::fake_provider::APPROVED;
use crate::support::subscription_probe::{ONE_MINUTE, within};
use crate::support::test_env::{MEMBER, TestEnv};

const OTHER: &str = "usr_0199f0a46c1e7cc09f3a2b1d5f8a7c99";

async fn begin(env: &TestEnv, variant: i32) -> CreateSurveyOrderResponse {
    let request = CreateSurveyOrderRequest {
        lang: "tr".into(),
        country: "TR".into(),
        variant: Some(variant),
        ..Default::default()
    };
    let opened = env.checkout.clone().create_survey_order(request).await;
    opened.unwrap().into_inner()
}

fn save(order: &CreateSurveyOrderResponse, given: &[(&str, &[&str])]) -> SaveSurveyAnswersRequest {
    let answers = given.iter().map(|(question, options)| SurveyAnswer {
        question: (*question).into(),
        options: options.iter().map(|&option| option.into()).collect(),
    });
    SaveSurveyAnswersRequest {
        order_id: order.order_id.clone(),
        access_key: order.access_key.clone(),
        answers: answers.collect(),
        ..Default::default()
    }
}

async fn saved(env: &TestEnv, request: SaveSurveyAnswersRequest) -> Result<(), String> {
    let answered = env.checkout.clone().save_survey_answers(request).await;
    answered
        .map(|_| ())
        .map_err(|status| Failure::from_status(&status).code)
}

async fn read(
    env: &TestEnv,
    order_id: &str,
    access_key: &str,
    user_id: &str,
) -> Result<GetSurveyResponse, String> {
    let request = GetSurveyRequest {
        order_id: order_id.into(),
        access_key: access_key.into(),
        user_id: user_id.into(),
    };
    let answered = env.checkout.clone().get_survey(request).await;
    answered
        .map(tonic::Response::into_inner)
        .map_err(|status| Failure::from_status(&status).code)
}

fn chosen(survey: &GetSurveyResponse) -> Vec<(&str, Vec<&str>)> {
    let answers = survey.answers.iter();
    answers
        .map(|answer| {
            let options = answer.options.iter().map(String::as_str).collect();
            (answer.question.as_str(), options)
        })
        .collect()
}

async fn claim(env: &TestEnv, order: &CreateSurveyOrderResponse, user_id: &str, access_key: &str) {
    let request = ClaimSurveyOrderRequest {
        user_id: user_id.into(),
        order_id: order.order_id.clone(),
        access_key: access_key.into(),
    };
    env.checkout.clone().claim_survey_order(request).await.unwrap();
}

async fn exported(env: &TestEnv, user_id: &str) -> Vec<proto::export::v1::SurveyOrder> {
    let request = ExportMemberRequest {
        user_id: user_id.into(),
    };
    let answer = env.checkout.clone().export_member(request).await.unwrap();
    answer.into_inner().export.unwrap().survey_orders
}

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
async fn the_id_of_an_order_alone_opens_no_answers() {
    let env = TestEnv::start().await;
    let (order, other) = (begin(&env, 15).await, begin(&env, 15).await);
    saved(&env, save(&order, &[("nights", &["slowly"])]))
        .await
        .unwrap();
    for key in ["", "0", other.access_key.as_str()] {
        assert_eq!(
            read(&env, &order.order_id, key, "").await.unwrap_err(),
            "UNKNOWN_ORDER"
        );
        let forged = SaveSurveyAnswersRequest {
            access_key: key.into(),
            ..save(&order, &[("nights", &["easily"])])
        };
        assert_eq!(saved(&env, forged).await.unwrap_err(), "UNKNOWN_ORDER");
    }
    // A claim without the key grants the order, not the answers.
    claim(&env, &order, OTHER, "").await;
    assert_eq!(
        read(&env, &order.order_id, "", OTHER).await.unwrap_err(),
        "UNKNOWN_ORDER"
    );
    assert_eq!(read(&env, "", "", OTHER).await.unwrap_err(), "UNKNOWN_ORDER");
    assert!(exported(&env, OTHER).await[0].answers.is_empty());
}

#[tokio::test]
async fn owner_with_the_key_reads_the_answers_in_every_browser() {
    let env = TestEnv::start().await;
    let order = begin(&env, 15).await;
    saved(&env, save(&order, &[("nights", &["slowly"])]))
        .await
        .unwrap();
    claim(&env, &order, MEMBER, &order.access_key).await;

    let elsewhere = read(&env, "", "", MEMBER).await.unwrap();
    assert_eq!(elsewhere.order_id, order.order_id);
    assert_eq!(chosen(&elsewhere), [("nights", vec!["slowly"])]);
    assert_eq!(
        read(&env, &order.order_id, &order.access_key, "")
            .await
            .unwrap_err(),
        "UNKNOWN_ORDER"
    );
    assert_eq!(
        read(&env, &order.order_id, &order.access_key, OTHER)
            .await
            .unwrap_err(),
        "UNKNOWN_ORDER"
    );
    let export = exported(&env, MEMBER).await;
    assert_eq!(export[0].answers[0].question, "nights");
    assert_eq!(export[0].answers[0].options, ["slowly"]);
}

#[tokio::test]
async fn member_who_answers_has_the_survey() {
    let env = TestEnv::start().await;
    let order = begin(&env, 15).await;
    let request = SaveSurveyAnswersRequest {
        user_id: MEMBER.into(),
        ..save(&order, &[("nights", &["slowly"])])
    };
    saved(&env, request).await.unwrap();
    assert_eq!(read(&env, "", "", MEMBER).await.unwrap().order_id, order.order_id);
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
async fn playlist_is_created_once_for_a_paid_survey() {
    let env = TestEnv::start().await;
    let (order, other) = (begin(&env, 79).await, begin(&env, 78).await);
    let playlist = async |order: &CreateSurveyOrderResponse| {
        let request = CreateSurveyPlaylistRequest {
            user_id: MEMBER.into(),
            order_id: order.order_id.clone(),
        };
        let answered = env.checkout.clone().create_survey_playlist(request).await;
        answered
            .map(|answer| answer.into_inner().playlist_id)
            .map_err(|status| Failure::from_status(&status).code)
    };
    let with_program = SaveSurveyAnswersRequest {
        user_id: MEMBER.into(),
        program: "sleep".into(),
        ..save(&order, &[("nights", &["slowly"])])
    };
    saved(&env, with_program.clone()).await.unwrap();
    assert_eq!(playlist(&order).await.unwrap_err(), "ORDER_UNPAID");
    env.buy("web-monthly", APPROVED).await.unwrap();
    let made = playlist(&order).await.unwrap();
    assert!(made.starts_with("pls_"), "{made}");
    assert_eq!(playlist(&order).await.unwrap(), made);
    assert_eq!(playlist(&other).await.unwrap_err(), "NO_PLAYLIST");
    let event = env.events("survey_playlist.created", 1).await.remove(0);
    assert_eq!(event.data["playlistId"], made);
    assert_eq!(event.data["surveyOrderId"], order.order_id);

    let later = SaveSurveyAnswersRequest {
        program: "focus".into(),
        ..with_program
    };
    saved(&env, later).await.unwrap();
    assert_eq!(read(&env, "", "", MEMBER).await.unwrap().program, "sleep");
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
    claim(&env, &claimed, MEMBER, &claimed.access_key).await;
    env.advance(TimeDelta::days(31)).await;
    let is_gone = async || read(&env, &left.order_id, &left.access_key, "").await.is_err();
    within(&env, ONE_MINUTE, is_gone).await;
    assert_eq!(env.count("select count(*) from survey_answer").await, 1);
    assert_eq!(chosen(&read(&env, "", "", MEMBER).await.unwrap()).len(), 1);
}
