//! Binds a survey order to the first member who signs up or continues with it.

use kit::clock::Clock;
use kit::erasure::is_tombstoned;
use sqlx::PgConnection;

use crate::domain::ids::{SurveyOrderId, UserId};
use crate::emit;
use crate::error::Result;
use crate::store::survey::survey_orders::{self, StoredSurveyOrder};

/// Of a sign-up. Does nothing where the order is unknown or another member's.
pub async fn claim_survey_order(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: &UserId,
    id: SurveyOrderId,
) -> Result<()> {
    if is_tombstoned(tx, &[user_id.to_string()]).await? {
        return Ok(());
    }
    if let Some(stored) = survey_orders::lock(tx, id).await? {
        claim(tx, clock, user_id, &stored).await?;
    }
    Ok(())
}

/// Under the order's lock. Returns whether it is this member's.
pub async fn claim(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: &UserId,
    stored: &StoredSurveyOrder,
) -> Result<bool> {
    if let Some(owner) = &stored.user_id {
        return Ok(owner == user_id.as_str());
    }
    survey_orders::set_owner(tx, stored.survey.survey_order_id, user_id).await?;
    emit::survey_orders::claimed(tx, clock, &stored.survey, user_id).await?;
    Ok(true)
}
