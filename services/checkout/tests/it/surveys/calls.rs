//! The calls of a page with a survey.

use kit::error::Failure;
use proto::checkout::v1::{
    ClaimSurveyOrderRequest, CreateSurveyOrderRequest, CreateSurveyOrderResponse, GetSurveyRequest,
    GetSurveyResponse, SaveSurveyAnswersRequest, SettleSurveyOrderRequest, SurveyAnswer,
};

use crate::support::test_env::TestEnv;

pub async fn begin(env: &TestEnv, variant: i32) -> CreateSurveyOrderResponse {
    let request = CreateSurveyOrderRequest {
        lang: "tr".into(),
        country: "TR".into(),
        variant: Some(variant),
        ..Default::default()
    };
    let opened = env.checkout.clone().create_survey_order(request).await;
    opened.unwrap().into_inner()
}

pub fn save(order: &CreateSurveyOrderResponse, given: &[(&str, &[&str])]) -> SaveSurveyAnswersRequest {
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

pub async fn saved(env: &TestEnv, request: SaveSurveyAnswersRequest) -> Result<(), String> {
    let answered = env.checkout.clone().save_survey_answers(request).await;
    answered
        .map(|_| ())
        .map_err(|status| Failure::from_status(&status).code)
}

pub async fn read(
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

pub fn chosen(survey: &GetSurveyResponse) -> Vec<(&str, Vec<&str>)> {
    let answers = survey.answers.iter();
    answers
        .map(|answer| {
            let options = answer.options.iter().map(String::as_str).collect();
            (answer.question.as_str(), options)
        })
        .collect()
}

pub async fn claim(env: &TestEnv, user_id: &str, order_id: &str, access_key: &str) -> Result<(), String> {
    let request = ClaimSurveyOrderRequest {
        user_id: user_id.into(),
        order_id: order_id.into(),
        access_key: access_key.into(),
    };
    let answered = env.checkout.clone().claim_survey_order(request).await;
    answered
        .map(|_| ())
        .map_err(|status| Failure::from_status(&status).code)
}

pub async fn is_paid(env: &TestEnv, user_id: &str, order_id: &str) -> Result<bool, String> {
    let request = SettleSurveyOrderRequest {
        user_id: user_id.into(),
        order_id: order_id.into(),
    };
    let answered = env.checkout.clone().settle_survey_order(request).await;
    answered
        .map(|answer| answer.into_inner().paid)
        .map_err(|status| Failure::from_status(&status).code)
}
