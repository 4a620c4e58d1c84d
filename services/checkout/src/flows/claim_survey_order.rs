//! Somebody signed up with a survey order: it is theirs from now on, to be handed to them and to be erased with them.

use kit::erasure::is_barred;
use sqlx::PgConnection;

use crate::domain::ids::{SurveyOrderId, UserId};
use crate::error::Result;
use crate::store::member_erasure;

pub async fn claim_survey_order(
    tx: &mut PgConnection,
    user_id: &UserId,
    survey_order_id: SurveyOrderId,
) -> Result<()> {
    if is_barred(tx, &[user_id.to_string()]).await? {
        return Ok(());
    }
    Ok(member_erasure::claim_survey_order(tx, user_id, survey_order_id).await?)
}
