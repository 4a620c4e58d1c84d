//! Replaces the recovery codes of a member; the former ones are worthless from then on.
use sqlx::PgConnection;

use crate::crypto::second_factors::new_recovery_code;
use crate::domain::session::second_factor::{RECOVERY_CODES, shown_recovery_code};
use crate::domain::session::step_up::Brought;
use crate::domain::user::UserId;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::second_factor::recovery_code;

/// As they are shown.
pub async fn replace_recovery_codes(context: &Context, token: &str) -> Result<Vec<String>, Error> {
    let session = live_session(context, token).await?.session;
    let authentication = session.authentication;
    if !authentication.has_second_factor {
        return Err(Error::SecondFactorNotEnrolled);
    }
    authentication.check(Brought::Nothing, context.clock.now())?;
    let mut tx = kit::database::begin(&context.pool).await?;
    let codes = new_recovery_codes(context, &mut tx, session.user.id).await?;
    tx.commit().await?;
    Ok(codes)
}

/// Only hashes are stored.
pub async fn new_recovery_codes(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
) -> Result<Vec<String>, sqlx::Error> {
    let codes: Vec<String> = (0..RECOVERY_CODES).map(|_| new_recovery_code()).collect();
    let keys = &context.second_factor_keys;
    let hash = |code: &String| keys.recovery_code_hash(user_id, code);
    let hashes: Vec<[u8; 32]> = codes.iter().map(hash).collect();
    recovery_code::replace(tx, user_id, &hashes).await?;
    Ok(codes.iter().map(|code| shown_recovery_code(code)).collect())
}
