//! Ends all sessions of a member.

use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::session;

pub async fn sign_out_everywhere(context: &Context, token: &str) -> Result<(), Error> {
    let current = live_session(context, token).await?.session;
    session::delete_all(&mut *context.pool.acquire().await?, current.user.id, None).await?;
    Ok(())
}
