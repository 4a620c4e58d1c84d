//! Accepts a TOTP code or a recovery code, each once. Call after the throttle; the caller's transaction commits the use.
use sqlx::PgConnection;

use crate::crypto::totp;
use crate::domain::mail::Template;
use crate::domain::session::second_factor::TypedCode;
use crate::domain::user::UserId;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::mails::queue_mail::queue_notice;
use crate::store::second_factor;
use crate::store::second_factor::recovery_code;

pub async fn use_code(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    code: &TypedCode,
) -> Result<(), Error> {
    let is_right = match code {
        TypedCode::Totp(code) => use_totp(context, tx, user_id, code).await?,
        TypedCode::Recovery(code) => use_recovery_code(context, tx, user_id, code).await?,
    };
    let outcome = if is_right { "accepted" } else { "refused" };
    metrics::counter!("auth_second_factor_codes_total", "outcome" => outcome).increment(1);
    if is_right {
        return Ok(());
    }
    tracing::info!(user.id = %user_id, "code of the second factor refused");
    Err(Error::SecondFactorWrong)
}

async fn use_totp(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    code: &str,
) -> Result<bool, Error> {
    let Some(factor) = second_factor::for_use(tx, user_id).await? else {
        return Ok(false);
    };
    let secret = context
        .second_factor_keys
        .secret(user_id, &factor.encrypted_secret)
        .map_err(|_| Error::SecondFactorKey)?;
    let Some(step) = totp::matching_step(&secret, code, context.clock.now(), factor.last_step) else {
        return Ok(false);
    };
    second_factor::set_last_step(tx, user_id, step).await?;
    Ok(true)
}

async fn use_recovery_code(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    code: &str,
) -> Result<bool, Error> {
    let hash = context.second_factor_keys.recovery_code_hash(user_id, code);
    if !recovery_code::take(tx, user_id, &hash).await? {
        return Ok(false);
    }
    queue_notice(context, tx, Template::RecoveryCodeUsed, user_id).await?;
    Ok(true)
}
