//! Creates the playlist of a survey's order, once its owner has paid: from then on the suggested programme is fixed.

use super::settle_survey_order::settle_survey_order;
use crate::domain::ids::{PlaylistId, SurveyOrderId, UserId};
use crate::domain::survey::survey_answers::has_playlist;
use crate::emit;
use crate::error::{Error, Result};
use crate::flows::Checkout;
use crate::store::survey::survey_answers;

/// Repeatable: an order has one playlist.
pub async fn create_survey_playlist(
    checkout: &Checkout,
    user_id: &UserId,
    id: SurveyOrderId,
) -> Result<PlaylistId> {
    let is_paid = settle_survey_order(checkout, Some(user_id), id).await?;
    let mut tx = kit::database::begin(&checkout.pool).await?;
    let survey = survey_answers::lock(&mut tx, id)
        .await?
        .ok_or(Error::UnknownOrder)?;
    if survey.ownership.owner.as_ref() != Some(user_id) {
        return Err(Error::UnknownOrder);
    }
    if !has_playlist(survey.variant) {
        return Err(Error::NoPlaylist);
    }
    if let Some(playlist_id) = survey.playlist_id {
        return Ok(playlist_id);
    }
    if !is_paid {
        return Err(Error::SurveyUnpaid);
    }
    let now = checkout.clock.now();
    let playlist_id = PlaylistId::new(now);
    survey_answers::set_playlist(&mut tx, id, playlist_id, now).await?;
    emit::survey_orders::playlist_created(&mut tx, &checkout.clock, &survey, playlist_id).await?;
    tx.commit().await?;
    Ok(playlist_id)
}
