//! Who a session token belongs to. A use keeps the session alive.
use chrono::{DateTime, Utc};

use crate::crypto::tokens::SessionToken;
use crate::domain::user::User;
use crate::error::Error;
use crate::flows::Context;
use crate::store::session;

pub struct Authenticated {
    pub user: User,
    pub expires_at: DateTime<Utc>,
}

pub async fn authenticate(context: &Context, token: &str) -> Result<Authenticated, Error> {
    let now = context.clock.now();
    let token = SessionToken::parse(token).ok_or(Error::SessionExpired)?;
    let mut connection = context.pool.acquire().await?;
    let live = session::live(&mut connection, &token.digest(), now)
        .await?
        .ok_or(Error::SessionExpired)?;

    let extension = context.lifetime.extension(live.opened_at, live.expires_at, now);
    if let Some(expires_at) = extension {
        session::extend(&mut connection, live.id, expires_at).await?;
    }
    Ok(Authenticated {
        user: live.user,
        expires_at: extension.unwrap_or(live.expires_at),
    })
}
