//! Returns a survey with its answers to the browser that began it or to its member.

use super::save_survey_answers::Asker;
use crate::domain::ids::SurveyOrderId;
use crate::domain::survey::survey_answers::{Answers, Survey};
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::survey::survey_answers;

/// Without an id: the last survey the member has answered.
pub async fn get_survey(
    checkout: &Checkout,
    id: Option<SurveyOrderId>,
    asker: &Asker,
) -> Result<(Survey, Answers)> {
    let mut connection = checkout.pool.acquire().await?;
    let id = match (id, &asker.user_id) {
        (Some(id), _) => id,
        (None, Some(user_id)) => survey_answers::newest_of(&mut connection, user_id)
            .await?
            .ok_or(Error::UnknownOrder)?,
        (None, None) => return Err(Error::UnknownOrder),
    };
    let survey = asker.open(survey_answers::find(&mut connection, id).await?)?;
    let answers = Answers::stored(survey_answers::of_order(&mut connection, id).await?);
    Ok((survey, answers))
}
