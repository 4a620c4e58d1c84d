//! Surveys: one order, and the key that opens its answers.
use kit::error::{ErrorCode, Failure, Kind};
use proto::checkout::v1 as checkout;
use tonic::Response;

use super::{Answer, FakeServices, refuse};

pub fn begin(
    world: &FakeServices,
    request: &checkout::CreateSurveyOrderRequest,
) -> Answer<checkout::CreateSurveyOrderResponse> {
    *world.survey_begun.lock().unwrap() = Some(request.clone());
    if request.idempotency_key == "used" {
        return refuse(
            Kind::Conflict,
            "IDEMPOTENCY_CONFLICT",
            "The key was used with another body.",
        );
    }
    if request.lang.is_empty() {
        let failure = Failure::new(
            Kind::Invalid,
            ErrorCode::InvalidArgument,
            "lang: is no language tag",
        );
        return Err(failure
            .field("lang", ErrorCode::Invalid, "is no language tag")
            .into());
    }
    Ok(Response::new(checkout::CreateSurveyOrderResponse {
        order_id: "svo_1".into(),
        access_key: "key1".into(),
    }))
}

pub fn save(
    world: &FakeServices,
    request: checkout::SaveSurveyAnswersRequest,
) -> Answer<checkout::SaveSurveyAnswersResponse> {
    if (request.order_id.as_str(), request.access_key.as_str()) != ("svo_1", "key1") {
        return refuse(Kind::NotFound, "UNKNOWN_ORDER", "There is no such order.");
    }
    *world.survey_saved.lock().unwrap() = Some(request);
    Ok(Response::new(checkout::SaveSurveyAnswersResponse {}))
}

pub fn get(request: &checkout::GetSurveyRequest) -> Answer<checkout::GetSurveyResponse> {
    let is_members = request.order_id.is_empty() && !request.user_id.is_empty();
    if !is_members && (request.order_id.as_str(), request.access_key.as_str()) != ("svo_1", "key1") {
        return refuse(Kind::NotFound, "UNKNOWN_ORDER", "There is no such order.");
    }
    let answer = checkout::SurveyAnswer {
        question: "nights".into(),
        options: vec!["slowly".into()],
    };
    Ok(Response::new(checkout::GetSurveyResponse {
        order_id: if is_members { "svo_members" } else { "svo_1" }.into(),
        variant: 15,
        answers: vec![answer],
        ..Default::default()
    }))
}

pub fn playlist(
    request: &checkout::CreateSurveyPlaylistRequest,
) -> Answer<checkout::CreateSurveyPlaylistResponse> {
    if request.order_id != "svo_1" {
        return refuse(Kind::Refused, "NO_PLAYLIST", "This survey has no playlist.");
    }
    Ok(Response::new(checkout::CreateSurveyPlaylistResponse {
        playlist_id: "pls_1".into(),
    }))
}

pub fn settle(request: &checkout::SettleSurveyOrderRequest) -> Answer<checkout::SettleSurveyOrderResponse> {
    if request.order_id != "svo_1" {
        return refuse(Kind::NotFound, "UNKNOWN_ORDER", "There is no such order.");
    }
    // Signed-in members have paid.
    Ok(Response::new(checkout::SettleSurveyOrderResponse {
        paid: !request.user_id.is_empty(),
    }))
}
