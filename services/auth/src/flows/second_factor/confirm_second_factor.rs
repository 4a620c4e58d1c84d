//! Enables the secret of the last enrolment with one of its codes. The session that entered the code counts as verified.
use crate::crypto::totp;
use crate::domain::caller::Caller;
use crate::domain::mail::Template;
use crate::domain::session::second_factor::TypedCode;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::credentials::check_throttle::{check_code_throttle, refund_attempt};
use crate::flows::mails::queue_mail::queue_notice;
use crate::flows::second_factor::replace_recovery_codes::new_recovery_codes;
use crate::flows::sessions::live_session::live_session;
use crate::store::second_factor::challenge;
use crate::store::{second_factor, session};

pub struct Confirmation {
    pub token: String,
    pub code: TypedCode,
    pub caller: Caller,
}

/// The recovery codes, as they are shown.
pub async fn confirm_second_factor(
    context: &Context,
    confirmation: &Confirmation,
) -> Result<Vec<String>, Error> {
    let session = live_session(context, &confirmation.token).await?.session;
    let user_id = session.user.id;
    let now = context.clock.now();
    let admitted = check_code_throttle(context, user_id, &confirmation.caller).await?;

    let mut tx = kit::database::begin(&context.pool).await?;
    let pending = second_factor::pending(&mut tx, user_id).await?;
    let secret = context
        .second_factor_keys
        .secret(user_id, &pending.ok_or(Error::SecondFactorNotEnrolled)?)
        .map_err(|_| Error::SecondFactorKey)?;
    // A recovery code is of another secret, if of any.
    let TypedCode::Totp(code) = &confirmation.code else {
        return Err(Error::SecondFactorWrong);
    };
    let step = totp::matching_step(&secret, code, now, None).ok_or(Error::SecondFactorWrong)?;
    second_factor::enable(&mut tx, user_id, step, now).await?;
    challenge::delete_of(&mut tx, user_id).await?;
    session::clear_verifications(&mut tx, user_id).await?;
    session::verify(&mut tx, session.id, now).await?;
    let codes = new_recovery_codes(context, &mut tx, user_id).await?;
    refund_attempt(&mut tx, &admitted).await?;
    queue_notice(context, &mut tx, Template::SecondFactorEnabled, user_id).await?;
    emit::second_factor_enabled(&mut tx, &context.clock, user_id).await?;
    tx.commit().await?;
    tracing::info!(user.id = %user_id, "second factor enabled");
    Ok(codes)
}
