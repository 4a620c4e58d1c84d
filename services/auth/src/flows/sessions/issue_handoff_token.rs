//! Issues a single-use token that signs the member in on another site.
use chrono::{DateTime, Utc};

use crate::crypto::tokens::OpaqueToken;
use crate::domain::handoff::Purpose;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::handoff_token::{self, NewHandoff};

pub struct Issued {
    pub token: OpaqueToken,
    pub expires_at: DateTime<Utc>,
}

pub async fn issue_handoff_token(
    context: &Context,
    session: &str,
    purpose: Purpose,
) -> Result<Issued, Error> {
    let user_id = live_session(context, session).await?.session.user.id;
    let token = OpaqueToken::random();
    let expires_at = context.clock.now() + context.ttls.handoff;
    let handoff = NewHandoff {
        token_hash: token.digest(),
        user_id,
        purpose,
        expires_at,
    };
    let mut tx = kit::database::begin(&context.pool).await?;
    handoff_token::insert(&mut tx, &handoff).await?;
    emit::handoff_token_issued(&mut tx, &context.clock, user_id, purpose).await?;
    tx.commit().await?;
    Ok(Issued { token, expires_at })
}
