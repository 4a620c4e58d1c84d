//! Lists a member's sessions.

use crate::domain::session::SessionId;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::session;
pub use crate::store::session::SessionSummary as Device;

pub struct Devices {
    pub opened: Vec<Device>,
    pub current: SessionId,
}

pub async fn list_devices(context: &Context, token: &str) -> Result<Devices, Error> {
    let current = live_session(context, token).await?.session;
    let mut connection = context.pool.acquire().await?;
    let opened = session::of_user(&mut connection, current.user.id, context.clock.now()).await?;
    Ok(Devices {
        opened,
        current: current.id,
    })
}
