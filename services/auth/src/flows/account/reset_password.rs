//! Uses a mailed link to set a password. Ends all sessions and opens none, and leaves the second factor as it is. The link sent to
//! a former address also restores that address.
use sha2::{Digest, Sha256};
use sqlx::PgConnection;

use crate::domain::email::Email;
use crate::domain::forms::recovery::PasswordReset;
use crate::domain::mail::Template;
use crate::domain::user::UserId;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::credentials::check_breached_password::check_breached_password;
use crate::flows::credentials::check_throttle::clear_attempts;
use crate::flows::mails::queue_mail::queue_notice;
use crate::store::account_link::{Owner, PasswordLink};
use crate::store::second_factor::challenge;
use crate::store::{account, account_link, handoff_token, identity, session};

pub async fn reset_password(context: &Context, reset: PasswordReset) -> Result<(), Error> {
    let now = context.clock.now();
    let token_hash: [u8; 32] = Sha256::digest(reset.token.as_bytes()).into();
    // Before the costly hash, which unauthenticated calls could otherwise trigger.
    let owner = account_link::owner(&mut *context.pool.acquire().await?, &token_hash, now).await?;
    let Owner { full_name, email } = owner.ok_or_else(over)?;
    let named = reset.password.must_not_name(&full_name, email.as_str());
    named.map_err(|error| Error::Invalid(vec![error]))?;
    check_breached_password(context, &reset.password).await?;
    let password_hash = context.passwords.hash(&reset.password).await?;

    let mut tx = kit::database::begin(&context.pool).await?;
    account::lock_email(&mut tx, &email).await?;
    let link = account_link::take(&mut tx, &token_hash, now)
        .await?
        .ok_or_else(over)?;
    let mut changed = vec!["password"];
    if let Some(former) = &link.former_email {
        restore(context, &mut tx, &link, former).await?;
        changed.insert(0, "email");
    }
    change_password(context, &mut tx, link.user_id, &password_hash).await?;
    clear_attempts(context, &mut tx, &email).await?;
    emit::profile_updated(&mut tx, &context.clock, link.user_id, &changed).await?;
    tx.commit().await?;
    tracing::info!(user.id = %link.user_id, fields = changed.join(","), "password reset");
    Ok(())
}

fn over() -> Error {
    tracing::info!("password reset refused: the link is used, over or unknown");
    Error::LinkExpired
}

/// The account was taken over, or its owner mistyped: the mailbox it had before is its only way in again.
async fn restore(
    context: &Context,
    tx: &mut PgConnection,
    link: &PasswordLink,
    former: &Email,
) -> Result<(), Error> {
    let now = context.clock.now();
    if account::is_email_taken(tx, former, link.user_id, now).await? {
        return Err(over());
    }
    account::set_email(tx, link.user_id, former).await?;
    account_link::delete_later_restores(tx, link.user_id, link.expires_at).await?;
    identity::delete_of(tx, link.user_id).await?;
    Ok(())
}

async fn change_password(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    password_hash: &str,
) -> Result<(), Error> {
    account::set_password_hash(tx, user_id, password_hash).await?;
    if !account::is_email_proven(tx, user_id).await? {
        // The account may have been made with an address that was never its maker's, who would keep a way in.
        identity::delete_of(tx, user_id).await?;
    }
    account::prove_email(tx, user_id, context.clock.now()).await?;
    account_link::delete_of(tx, user_id).await?;
    handoff_token::delete_of(tx, user_id).await?;
    challenge::delete_of(tx, user_id).await?;
    session::delete_all(tx, user_id, None).await?;
    queue_notice(context, tx, Template::PasswordChanged, user_id).await?;
    Ok(())
}
