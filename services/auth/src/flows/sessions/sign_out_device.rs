//! Ends one of a member's sessions.

use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::session;

/// Unknown devices and those of other members are ignored without an error.
pub async fn sign_out_device(context: &Context, token: &str, device: &str) -> Result<(), Error> {
    let current = live_session(context, token).await?.session;
    let Ok(device) = device.parse() else {
        return Ok(());
    };
    session::delete_one(&mut *context.pool.acquire().await?, current.user.id, device).await?;
    Ok(())
}
