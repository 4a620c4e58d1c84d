//! Ends one session with the link of the mail about it. The link works without a sign-in, and once.
use secrecy::SecretString;

use crate::crypto::links::LinkTokens;
use crate::error::Error;
use crate::flows::Context;
use crate::store::{account_link, session};

pub async fn end_session(context: &Context, token: &SecretString) -> Result<(), Error> {
    let token_hash = LinkTokens::digest(token);
    let mut tx = kit::database::begin(&context.pool).await?;
    let linked = account_link::take_session(&mut tx, &token_hash, context.clock.now()).await?;
    let (user_id, session_id) = linked.ok_or(Error::LinkInvalid)?;
    session::delete_one(&mut tx, user_id, session_id).await?;
    tx.commit().await?;
    tracing::info!(user.id = %user_id, "session ended by its link");
    Ok(())
}
