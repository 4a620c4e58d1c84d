//! Sets a survey order's owner and whether it is paid, by the signed-in member and their orders,
//! not by the page.

use kit::erasure::is_tombstoned;
use sqlx::PgConnection;

use super::claim_survey_order::claim;
use super::save_survey_answers::AccessKey;
use crate::domain::ids::{SurveyOrderId, UserId};
use crate::emit;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::survey::survey_answers;
use crate::store::survey::survey_orders::{self, StoredSurveyOrder};

/// The first member to continue owns it.
pub async fn take_survey_order(checkout: &Checkout, user_id: &UserId, id: SurveyOrderId) -> Result<()> {
    let mut tx = kit::database::begin(&checkout.pool).await?;
    take(&mut tx, checkout, user_id, id).await?;
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
    let mut tx = kit::database::begin(&checkout.pool).await?;
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

/// Returns whether it is paid.
pub async fn settle_survey_order(
    checkout: &Checkout,
    user_id: Option<&UserId>,
    id: SurveyOrderId,
) -> Result<bool> {
    let Some(user_id) = user_id else {
        return Ok(false);
    };
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let stored = take(&mut tx, checkout, user_id, id).await?;
    let is_paid = stored.paid_by.is_some() || pay(&mut tx, checkout, user_id, &stored).await?;
    tx.commit().await?;
    Ok(is_paid)
}

/// Locked and the member's until `tx` ends.
async fn take(
    tx: &mut PgConnection,
    checkout: &Checkout,
    user_id: &UserId,
    id: SurveyOrderId,
) -> Result<StoredSurveyOrder> {
    if is_tombstoned(tx, &[user_id.to_string()]).await? {
        return Err(Error::MemberErased);
    }
    let stored = survey_orders::lock(tx, id).await?.ok_or(Error::UnknownOrder)?;
    // An order of another member answers as an unknown one does.
    if !claim(tx, &checkout.clock, user_id, &stored).await? {
        return Err(Error::UnknownOrder);
    }
    Ok(stored)
}

/// Marks it paid by what the member has bought since the survey began, if there is something.
async fn pay(
    tx: &mut PgConnection,
    checkout: &Checkout,
    user_id: &UserId,
    stored: &StoredSurveyOrder,
) -> Result<bool> {
    let survey = &stored.survey;
    let Some(order_id) = survey_orders::find_purchase(tx, survey, user_id).await? else {
        return Ok(false);
    };
    let now = checkout.clock.now();
    survey_orders::set_paid(tx, survey.survey_order_id, order_id, now).await?;
    emit::survey_orders::paid(tx, &checkout.clock, survey, user_id, order_id).await?;
    Ok(true)
}
