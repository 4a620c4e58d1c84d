//! Opens a session with a new token in the transaction that proved the member, and ends the browser's former session. Tokens are
//! never reused, because one planted before sign-in must stay worthless.
use sqlx::PgConnection;

use crate::crypto::device_cookies;
use crate::crypto::tokens::OpaqueToken;
use crate::domain::caller::Caller;
use crate::domain::session::SessionId;
use crate::domain::user::User;
use crate::flows::{Context, SignedIn};
use crate::store::session::{self, NewSession};

/// What opened the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A password, a provider or a new account.
    Credential,
    /// A token that another session of the member gave out.
    Handoff,
}

pub async fn open_session(
    context: &Context,
    tx: &mut PgConnection,
    user: User,
    caller: &Caller,
    proof: Proof,
) -> Result<SignedIn, sqlx::Error> {
    let now = context.clock.now();
    if let Some(former) = OpaqueToken::parse(&caller.session) {
        session::delete(tx, &former.digest()).await?;
    }
    let token = OpaqueToken::random();
    let expires_at = context.lifetime.first_expiry(now);

    let opened = NewSession {
        id: SessionId::new(now),
        token_hash: token.digest(),
        user_id: user.id,
        device: &caller.device,
        opened_at: now,
        proven_at: (proof == Proof::Credential).then_some(now),
        expires_at,
    };
    session::insert(tx, &opened).await?;
    Ok(SignedIn {
        device_cookie: device_cookies::make(&context.pseudonyms, &user.email),
        user,
        token,
        expires_at,
    })
}
