//! Whose a survey's order is, and whether it is paid. The page says both; what counts is who is signed in and what they have
//! paid us.

use kit::erasure::is_barred;

use super::Checkout;
use super::claim_survey_order::claim_survey_order;
use super::save_survey_answers::AccessKey;
use crate::domain::ids::{SurveyOrderId, UserId};
use crate::error::{Error, Result};
use crate::store::{survey_answers, survey_orders};

/// The first member to go on with it has it.
pub async fn take_survey_order(checkout: &Checkout, user_id: &UserId, id: SurveyOrderId) -> Result<()> {
    let mut tx = checkout.pool.begin().await?;
    if is_barred(&mut tx, &[user_id.to_string()]).await? {
        return Err(Error::MemberErased);
    }
    match survey_orders::lock_owner(&mut tx, id).await? {
        Some(None) => claim_survey_order(&mut tx, user_id, id).await?,
        Some(Some(owner)) if owner == user_id.as_str() => {}
        // Whether it is there at all is nobody else's business.
        None | Some(Some(_)) => return Err(Error::UnknownOrder),
    }
    tx.commit().await?;
    Ok(())
}

/// The owner shows the key: from now on the answers are theirs, from any browser. A wrong key changes nothing.
pub async fn prove_survey_order(
    checkout: &Checkout,
    user_id: &UserId,
    id: SurveyOrderId,
    access_key: &AccessKey,
) -> Result<()> {
    let mut tx = checkout.pool.begin().await?;
    let survey = survey_answers::lock(&mut tx, id)
        .await?
        .ok_or(Error::UnknownOrder)?;
    let is_owner = survey.ownership.owner.as_ref() == Some(user_id);
    if is_owner && survey.has_key(&access_key.hash()) {
        survey_answers::prove(&mut tx, id).await?;
    }
    tx.commit().await?;
    Ok(())
}

pub async fn settle_survey_order(
    checkout: &Checkout,
    user_id: Option<&UserId>,
    id: SurveyOrderId,
) -> Result<bool> {
    let Some(user_id) = user_id else {
        return Ok(false);
    };
    take_survey_order(checkout, user_id, id).await?;
    let mut connection = checkout.pool.acquire().await?;
    let now = checkout.clock.now();
    Ok(survey_orders::settle(&mut connection, id, user_id, now).await?)
}
