//! Deletes a second factor with its recovery codes and open challenges. Roles keep theirs.
use crate::domain::mail::Template;
use crate::domain::session::step_up::Brought;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::mails::queue_mail::queue_notice;
use crate::flows::sessions::live_session::live_session;
use crate::store::second_factor::{challenge, recovery_code};
use crate::store::{second_factor, session};

pub async fn disable_second_factor(context: &Context, token: &str) -> Result<(), Error> {
    let session = live_session(context, token).await?.session;
    let user_id = session.user.id;
    session
        .authentication
        .check(Brought::Nothing, context.clock.now())?;
    if !session.roles.is_empty() {
        return Err(Error::SecondFactorRequired);
    }
    let mut tx = kit::database::begin(&context.pool).await?;
    if second_factor::delete(&mut tx, user_id).await? {
        recovery_code::delete_of(&mut tx, user_id).await?;
        challenge::delete_of(&mut tx, user_id).await?;
        session::clear_verifications(&mut tx, user_id).await?;
        queue_notice(context, &mut tx, Template::SecondFactorDisabled, user_id).await?;
        emit::second_factor_disabled(&mut tx, &context.clock, user_id).await?;
        tracing::info!(user.id = %user_id, "second factor disabled");
    }
    tx.commit().await?;
    Ok(())
}
