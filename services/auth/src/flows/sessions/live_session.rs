//! Resolves a session by any of its tokens.
//!
//! A session has one primary token. The next token is issued beside it and replaces it on first use, so a lost response signs
//! no one out. The former token is valid for a short grace; later use means a copy exists and ends the session.
use crate::crypto::tokens::OpaqueToken;
use crate::error::Error;
use crate::flows::Context;
use crate::store::session::{self, LiveSession};
use crate::store::session_token::{self, SecondaryToken};

pub struct ResolvedSession {
    pub session: LiveSession,
    /// The token is the session's own, not one in its grace.
    pub is_own: bool,
}

pub async fn live_session(context: &Context, token: &str) -> Result<ResolvedSession, Error> {
    let now = context.clock.now();
    let digest = OpaqueToken::parse(token).ok_or(Error::SessionExpired)?.digest();
    let mut connection = context.pool.acquire().await?;
    if let Some(session) = session::live(&mut connection, &digest, now).await? {
        return Ok(ResolvedSession {
            session,
            is_own: true,
        });
    }
    if let Some(other) = session_token::find(&mut connection, &digest).await? {
        drop(connection);
        return by_other_token(context, &digest, other).await;
    }
    // A call beside this one may have made it the session's own between the two looks.
    let session = session::live(&mut connection, &digest, now).await?;
    Ok(ResolvedSession {
        session: session.ok_or(Error::SessionExpired)?,
        is_own: true,
    })
}

async fn by_other_token(
    context: &Context,
    digest: &[u8; 32],
    other: SecondaryToken,
) -> Result<ResolvedSession, Error> {
    let now = context.clock.now();
    let mut tx = kit::database::begin(&context.pool).await?;
    let is_own = match other.retired_at {
        None => {
            session_token::promote(&mut tx, other.session_id, digest, now).await?;
            true
        }
        Some(retired_at) if context.rotation.is_reused(retired_at, now) => {
            session::delete_one(&mut tx, other.user_id, other.session_id).await?;
            tx.commit().await?;
            metrics::counter!("auth_session_token_reuse_total").increment(1);
            tracing::warn!(user.id = %other.user_id, "former session token reused; session ended");
            return Err(Error::SessionExpired);
        }
        Some(_) => false,
    };
    let session = session::live_by_id(&mut tx, other.session_id, now).await?;
    tx.commit().await?;
    let session = session.ok_or(Error::SessionExpired)?;
    Ok(ResolvedSession { session, is_own })
}
