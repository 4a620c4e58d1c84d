use std::collections::BTreeSet;

use futures::future::join_all;
use kit::error::Failure;
use proto::checkout::v1::CreateSurveyOrderRequest;
use proto::common::v1::Tracking;

use crate::support::test_env::TestEnv;

fn asked(key: &str) -> CreateSurveyOrderRequest {
    let tracking = [("utm_source", "mail"), ("token", "secret")];
    CreateSurveyOrderRequest {
        product_type: "coaching-x".into(),
        lang: "tr".into(),
        country: "TR".into(),
        tracking: Some(Tracking {
            parameters: tracking
                .map(|(name, value)| (name.to_owned(), value.to_owned()))
                .into(),
        }),
        idempotency_key: key.into(),
        ..Default::default()
    }
}

async fn create(env: &TestEnv, request: CreateSurveyOrderRequest) -> Result<String, Failure> {
    let answer = env.checkout.clone().create_survey_order(request).await;
    answer
        .map(|answer| answer.into_inner().order_id)
        .map_err(|status| Failure::from_status(&status))
}

async fn orders(env: &TestEnv) -> i64 {
    sqlx::query_scalar("select count(*) from survey_order")
        .fetch_one(&env.pool().await)
        .await
        .unwrap()
}

#[tokio::test]
async fn order_is_stored_with_defaults_and_emitted() {
    let env = TestEnv::start().await;
    let order_id = create(&env, asked("")).await.unwrap();
    assert!(order_id.starts_with("svo_"), "{order_id}");

    let kept: (i32, i32, Option<String>, String, String) = sqlx::query_as(
        "select flow, variant, ab_group, product_type, tracking::text from survey_order
         where language = 'tr' and country = 'TR'",
    )
    .fetch_one(&env.pool().await)
    .await
    .unwrap();
    let tracking = r#"{"utm_source": "mail"}"#;
    assert_eq!(kept, (0, 15, None, "coaching".into(), tracking.into()));

    let event = env.events("survey_order.created", 1).await.remove(0);
    assert_eq!(event.data["surveyOrderId"], order_id);
    assert_eq!(
        (&event.data["flow"], &event.data["variant"]),
        (&0.into(), &15.into())
    );
    assert_eq!(event.data["productType"], "coaching");
    assert_eq!(event.data["tracking"]["parameters"]["utm_source"], "mail");
    assert_eq!(event.data["tracking"]["parameters"].get("token"), None);
    assert_eq!(
        (event.lang.as_deref(), event.country.as_deref()),
        (Some("tr"), Some("TR"))
    );
}

#[tokio::test]
async fn zero_is_a_choice_and_not_the_default() {
    let env = TestEnv::start().await;
    let chosen = CreateSurveyOrderRequest {
        flow: Some(3),
        variant: Some(0),
        ab_group: "b".into(),
        ..asked("")
    };
    create(&env, chosen).await.unwrap();
    let event = env.events("survey_order.created", 1).await.remove(0);
    assert_eq!(
        (&event.data["flow"], &event.data["variant"]),
        (&3.into(), &0.into())
    );
    assert_eq!(event.data["abGroup"], "b");
}

#[tokio::test]
async fn same_key_is_one_order_however_many_ask_at_once() {
    let env = TestEnv::start().await;
    let answers = join_all((0..20).map(|_| create(&env, asked("key-1")))).await;
    let ids: BTreeSet<String> = answers.into_iter().map(Result::unwrap).collect();
    assert_eq!(ids.len(), 1);
    assert_eq!(create(&env, asked("key-1")).await.unwrap(), *ids.first().unwrap());
    assert_eq!(orders(&env).await, 1);
    env.events("survey_order.created", 1).await;

    create(&env, asked("key-2")).await.unwrap();
    create(&env, asked("")).await.unwrap();
    create(&env, asked("")).await.unwrap();
    assert_eq!(orders(&env).await, 4);
}

#[tokio::test]
async fn key_of_another_order_is_a_conflict() {
    let env = TestEnv::start().await;
    create(&env, asked("key")).await.unwrap();
    let other = CreateSurveyOrderRequest {
        variant: Some(79),
        ..asked("key")
    };
    assert_eq!(
        create(&env, other).await.unwrap_err().code,
        "IDEMPOTENCY_CONFLICT"
    );
    assert_eq!(orders(&env).await, 1);
}

#[tokio::test]
async fn nonsense_opens_nothing() {
    let env = TestEnv::start().await;
    let wrong = CreateSurveyOrderRequest {
        flow: Some(-1),
        ..asked("key")
    };
    let refusal = create(&env, wrong).await.unwrap_err();
    assert_eq!(
        (refusal.code.as_str(), refusal.fields[0].field.as_str()),
        ("INVALID_ARGUMENT", "flow")
    );
    assert_eq!(orders(&env).await, 0);
    create(&env, asked("key")).await.unwrap();
}
