//! `GetSurvey`: answers are read with the key of their order or by its owner.

use proto::checkout::v1::SaveSurveyAnswersRequest;

use crate::privacy::export_member::export;
use crate::support::test_env::{MEMBER, TestEnv};
use crate::surveys::calls::{begin, chosen, claim, read, save, saved};

const OTHER: &str = "usr_0199f0a46c1e7cc09f3a2b1d5f8a7c99";

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
    claim(&env, OTHER, &order.order_id, "").await.unwrap();
    assert_eq!(
        read(&env, &order.order_id, "", OTHER).await.unwrap_err(),
        "UNKNOWN_ORDER"
    );
    assert_eq!(read(&env, "", "", OTHER).await.unwrap_err(), "UNKNOWN_ORDER");
    assert!(export(&env, OTHER).await.survey_orders[0].answers.is_empty());
}

#[tokio::test]
async fn owner_with_the_key_reads_the_answers_in_every_browser() {
    let env = TestEnv::start().await;
    let order = begin(&env, 15).await;
    saved(&env, save(&order, &[("nights", &["slowly"])]))
        .await
        .unwrap();
    claim(&env, MEMBER, &order.order_id, &order.access_key)
        .await
        .unwrap();

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
    let exported = export(&env, MEMBER).await.survey_orders;
    assert_eq!(exported[0].answers[0].question, "nights");
    assert_eq!(exported[0].answers[0].options, ["slowly"]);
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
