//! Resolves a token to its member and extends the session.
use chrono::{DateTime, Utc};

use crate::domain::session::is_use_recorded_again;
use crate::domain::session::step_up::Authentication;
use crate::domain::user::User;
use crate::domain::user::role::{ActiveRoles, active_roles};
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::issue_access_token::session_of;
use crate::store::session::{self, LiveSession};

pub struct Authenticated {
    pub user: User,
    pub expires_at: DateTime<Utc>,
    pub by_access_token: bool,
    pub authentication: Authentication,
    /// The authentication is recent enough for sensitive calls.
    pub is_recent: bool,
    pub roles: ActiveRoles,
}

pub async fn authenticate(context: &Context, token: &str) -> Result<Authenticated, Error> {
    let (session, by_access_token) = session_of(context, token).await?;
    let expires_at = keep_alive(context, &session).await?;
    let authentication = session.authentication;
    // An access token is held by apps and widgets: it acts as a plain member.
    let granted = if by_access_token {
        Vec::new()
    } else {
        session.roles
    };
    Ok(Authenticated {
        user: session.user,
        expires_at,
        by_access_token,
        authentication,
        is_recent: !by_access_token && authentication.is_recent(context.clock.now()),
        roles: active_roles(granted, &authentication),
    })
}

/// The session's end after this use.
pub async fn keep_alive(context: &Context, live: &LiveSession) -> Result<DateTime<Utc>, Error> {
    let now = context.clock.now();
    let extension = context.lifetime.extension(live.opened_at, live.expires_at, now);
    let expires_at = extension.unwrap_or(live.expires_at);
    if extension.is_some() || is_use_recorded_again(live.last_seen_at, now) {
        session::touch(&mut *context.pool.acquire().await?, live.id, now, expires_at).await?;
    }
    Ok(expires_at)
}
