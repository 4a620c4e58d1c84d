//! Uses the link mailed to a new address: the address becomes the account's. The former address is mailed a link that
//! restores it and stays reserved until that link expires.
use sha2::{Digest, Sha256};

use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::mails::queue_mail::queue_email_changed;
use crate::store::{account, account_link};

pub async fn confirm_email(context: &Context, token: &str) -> Result<(), Error> {
    let now = context.clock.now();
    let token_hash: [u8; 32] = Sha256::digest(token.as_bytes()).into();
    let mut tx = kit::database::begin(&context.pool).await?;
    let asked = account_link::new_email(&mut tx, &token_hash, now).await?;
    let (user_id, email) = asked.ok_or(Error::LinkExpired)?;
    let former = account::by_id(&mut tx, user_id)
        .await?
        .ok_or(Error::LinkExpired)?
        .user
        .email;

    account::lock_emails(&mut tx, &former, &email).await?;
    // Whatever changed the address since it was read has deleted this link.
    if !account_link::delete_new_email(&mut tx, &token_hash).await? {
        return Err(Error::LinkExpired);
    }
    if account::is_email_taken(&mut tx, &email, user_id, now).await? {
        return Err(Error::EmailTaken);
    }
    account::set_email(&mut tx, user_id, &email).await?;
    // A link on its way to the former address must not open the account, but for the one that restores it.
    account_link::delete_of(&mut tx, user_id).await?;
    queue_email_changed(context, &mut tx, user_id, &former).await?;
    emit::profile_updated(&mut tx, &context.clock, user_id, &["email"]).await?;
    tx.commit().await?;
    tracing::info!(user.id = %user_id, "e-mail address changed");
    Ok(())
}
