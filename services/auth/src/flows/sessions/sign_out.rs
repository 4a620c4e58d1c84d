//! Ends a session. Idempotent.
use crate::crypto::tokens::OpaqueToken;
use crate::error::Error;
use crate::flows::Context;
use crate::store::session;

pub async fn sign_out(context: &Context, token: &str) -> Result<(), Error> {
    let Some(token) = OpaqueToken::parse(token) else {
        return Ok(());
    };
    session::delete(&mut *context.pool.acquire().await?, &token.digest()).await?;
    Ok(())
}
