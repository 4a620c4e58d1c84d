//! Opens a session under a fresh token, in the transaction of whoever proved who they are. Never reuses a token:
//! one planted in the browser before sign-in must not become worth anything.
use sqlx::PgConnection;

use crate::crypto::device_marks;
use crate::crypto::tokens::OpaqueToken;
use crate::domain::caller::Caller;
use crate::domain::session::SessionId;
use crate::domain::user::User;
use crate::flows::{Context, SignedIn};
use crate::store::session::{self, NewSession};

pub async fn open_session(
    context: &Context,
    tx: &mut PgConnection,
    user: User,
    caller: &Caller,
) -> Result<SignedIn, sqlx::Error> {
    let now = context.clock.now();
    let token = OpaqueToken::random();
    let expires_at = context.lifetime.first_expiry(now);

    let opened = NewSession {
        id: SessionId::new(now),
        token_hash: token.digest(),
        user_id: user.id,
        device: &caller.device,
        opened_at: now,
        expires_at,
    };
    session::insert(tx, &opened).await?;
    Ok(SignedIn {
        device_mark: device_marks::make(&context.pseudonyms, &user.email),
        user,
        token,
        expires_at,
    })
}
