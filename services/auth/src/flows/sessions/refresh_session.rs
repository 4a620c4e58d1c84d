//! `authenticate`, and the next token when rotation is due.
use chrono::{DateTime, Utc};

use crate::crypto::tokens::OpaqueToken;
use crate::domain::user::User;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::authenticate::keep_alive;
use crate::flows::sessions::live_session::live_session;
use crate::store::session::{self, LiveSession};
use crate::store::session_token;

pub struct Refreshed {
    pub user: User,
    pub expires_at: DateTime<Utc>,
    pub renewed: Option<OpaqueToken>,
}

pub async fn refresh_session(context: &Context, token: &str) -> Result<Refreshed, Error> {
    let presented = live_session(context, token).await?;
    let session = presented.session;
    let expires_at = keep_alive(context, &session).await?;
    let is_due = context.rotation.is_due(session.rotated_at, context.clock.now());
    let renewed = if presented.is_own && is_due {
        next_token(context, &session).await?
    } else {
        None
    };
    Ok(Refreshed {
        user: session.user,
        expires_at,
        renewed,
    })
}

async fn next_token(context: &Context, session: &LiveSession) -> Result<Option<OpaqueToken>, Error> {
    let token = OpaqueToken::random();
    let mut tx = kit::database::begin(&context.pool).await?;
    if !session::claim_rotation(&mut tx, session, context.clock.now()).await? {
        return Ok(None);
    }
    session_token::offer(&mut tx, session.id, &token.digest()).await?;
    tx.commit().await?;
    Ok(Some(token))
}
