//! Takes the token of a mailed link, once, for a new password. Whoever was signed in is not any more, and nobody is
//! signed in by it: a mail that fell into the wrong hands opens no session without leaving a trace.
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::domain::mail::Template;
use crate::domain::recovery::Reset;
use crate::domain::user::UserId;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::write_mail::write_notice;
use crate::store::{account, account_link, identity, session, sign_in_attempt};

pub async fn reset_password(context: &Context, reset: Reset) -> Result<(), Error> {
    let now = context.clock.now();
    let token_hash: [u8; 32] = Sha256::digest(reset.token.as_bytes()).into();
    // Before the hash, which anybody could otherwise make us compute.
    if !account_link::is_live(&mut *context.pool.acquire().await?, &token_hash, now).await? {
        return Err(Error::LinkOver);
    }
    let password_hash = context.passwords.hash(&reset.password).await?;

    let mut tx = context.pool.begin().await?;
    let user_id = account_link::take(&mut tx, &token_hash, now)
        .await?
        .ok_or(Error::LinkOver)?;
    change_password(context, &mut tx, user_id, &password_hash).await?;
    tx.commit().await?;
    tracing::info!(user.id = %user_id, "password reset");
    Ok(())
}

async fn change_password(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    password_hash: &str,
) -> Result<(), Error> {
    let email = account::set_password_hash(tx, user_id, password_hash)
        .await?
        .ok_or(Error::LinkOver)?;
    if !account::is_email_proven(tx, user_id).await? {
        // Somebody may have made the account with an address that was never theirs, and would keep a door of their own.
        identity::delete_of(tx, user_id).await?;
    }
    account::prove_email(tx, user_id, context.clock.now()).await?;
    account_link::delete_of(tx, user_id).await?;
    session::delete_all(tx, user_id, None).await?;
    // Whoever locked the account by guessing guessed the former password.
    sign_in_attempt::clear(tx, &context.pseudonyms.of(&email)).await?;
    write_notice(context, tx, Template::PasswordChanged, user_id, None).await?;
    emit::profile_updated(tx, &context.clock, user_id, &["password"]).await
}
