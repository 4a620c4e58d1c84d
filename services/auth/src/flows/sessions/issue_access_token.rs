//! Access tokens: short-lived, signed, valid only while their session is.
//!
//! They authorise reads only; account changes require session tokens.

use crate::crypto::access_tokens::{KeyCipher, Unverified};
use crate::domain::access_token::{Claims, KeyRotation};
use crate::error::Error;
use crate::flows::Context;
use crate::flows::sessions::live_session::live_session;
use crate::store::session::{self, LiveSession};
use crate::store::signing_key;

pub struct AccessTokens {
    pub cipher: KeyCipher,
    pub rotation: KeyRotation,
    /// The site's own address: who signs, and for whom.
    pub issuer: String,
}

pub struct IssuedAccessToken {
    pub token: String,
    pub claims: Claims,
}

pub struct PublicKey {
    pub key_id: String,
    pub key: Vec<u8>,
}

pub async fn issue_access_token(context: &Context, session: &str) -> Result<IssuedAccessToken, Error> {
    let session = live_session(context, session).await?.session;
    let now = context.clock.now();
    let AccessTokens {
        cipher: seal, issuer, ..
    } = &context.access_tokens;
    let key = signing_key::signing(&mut *context.pool.acquire().await?, seal.id(), now).await?;
    let claims = Claims::new(issuer, session.user.id, session.id, now);
    let token = seal
        .sign(&key.ok_or(Error::SigningKey)?, &claims)
        .map_err(|_| Error::SigningKey)?;
    Ok(IssuedAccessToken { token, claims })
}

/// The session that a token of either kind is of, and whether it is an access token.
pub async fn session_of(context: &Context, token: &str) -> Result<(LiveSession, bool), Error> {
    match Unverified::parse(token) {
        Some(unverified) => Ok((session_of_access_token(context, &unverified).await?, true)),
        None => Ok((live_session(context, token).await?.session, false)),
    }
}

async fn session_of_access_token(context: &Context, token: &Unverified<'_>) -> Result<LiveSession, Error> {
    let now = context.clock.now();
    let of_use_since = KeyRotation::verifies_until_after(now);
    let mut connection = context.pool.acquire().await?;
    let key = signing_key::public_of(&mut connection, &token.key_id, of_use_since).await?;
    let claims = key
        .and_then(|key| token.verify(&key))
        .ok_or(Error::SessionExpired)?;
    if !claims.are_valid(&context.access_tokens.issuer, now) {
        return Err(Error::SessionExpired);
    }
    session::live_by_id(&mut connection, claims.sid, now)
        .await?
        .filter(|session| session.user.id == claims.sub)
        .ok_or(Error::SessionExpired)
}
