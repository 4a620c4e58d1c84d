//! The answers of surveys: proto to flows.

use proto::checkout::v1 as wire;

use super::convert;
use crate::domain::survey::survey_answers::{Answers, program};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::flows::api::surveys::create_survey_playlist::create_survey_playlist as create_playlist;
use crate::flows::api::surveys::get_survey::get_survey as get;
use crate::flows::api::surveys::save_survey_answers::{
    AccessKey, Asker, SaveSurveyAnswers, save_survey_answers as save,
};

pub async fn save_survey_answers(
    checkout: &Checkout,
    request: wire::SaveSurveyAnswersRequest,
) -> Result<wire::SaveSurveyAnswersResponse> {
    let answers = request.answers.into_iter();
    let command = SaveSurveyAnswers {
        survey_order_id: request.order_id.parse().map_err(|_| Error::UnknownOrder)?,
        asker: asker(&request.user_id, request.access_key)?,
        answers: Answers::accept(answers.map(|answer| (answer.question, answer.options)).collect())?,
        program: program(request.program)?,
    };
    save(checkout, command).await?;
    Ok(wire::SaveSurveyAnswersResponse {})
}

pub async fn get_survey(
    checkout: &Checkout,
    request: wire::GetSurveyRequest,
) -> Result<wire::GetSurveyResponse> {
    let id = match request.order_id.as_str() {
        "" => None,
        text => Some(text.parse().map_err(|_| Error::UnknownOrder)?),
    };
    let (survey, answers) = get(checkout, id, &asker(&request.user_id, request.access_key)?).await?;
    let answers = answers.iter().map(|(question, options)| wire::SurveyAnswer {
        question: question.to_owned(),
        options: options.to_vec(),
    });
    Ok(wire::GetSurveyResponse {
        answers: answers.collect(),
        order_id: survey.survey_order_id.to_string(),
        flow: survey.flow,
        variant: survey.variant,
        ab_group: survey.ab_group.unwrap_or_default(),
        program: survey.program.unwrap_or_default(),
    })
}

pub async fn create_survey_playlist(
    checkout: &Checkout,
    request: &wire::CreateSurveyPlaylistRequest,
) -> Result<wire::CreateSurveyPlaylistResponse> {
    let user_id = convert::user_id(&request.user_id)?;
    let order_id = request.order_id.parse().map_err(|_| Error::UnknownOrder)?;
    let playlist_id = create_playlist(checkout, &user_id, order_id).await?;
    Ok(wire::CreateSurveyPlaylistResponse {
        playlist_id: playlist_id.to_string(),
    })
}

fn asker(user_id: &str, access_key: String) -> Result<Asker> {
    let user_id = match user_id {
        "" => None,
        text => Some(convert::user_id(text)?),
    };
    Ok(Asker {
        user_id,
        access_key: AccessKey(access_key),
    })
}
