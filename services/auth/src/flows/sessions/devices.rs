//! Lists a member's sessions and ends one or all of them.
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

/// Unknown devices and those of other members are ignored without an error.
pub async fn sign_out_device(context: &Context, token: &str, device: &str) -> Result<(), Error> {
    let current = live_session(context, token).await?.session;
    let Ok(device) = device.parse() else {
        return Ok(());
    };
    session::delete_one(&mut *context.pool.acquire().await?, current.user.id, device).await?;
    Ok(())
}

pub async fn sign_out_everywhere(context: &Context, token: &str) -> Result<(), Error> {
    let current = live_session(context, token).await?.session;
    session::delete_all(&mut *context.pool.acquire().await?, current.user.id, None).await?;
    Ok(())
}
