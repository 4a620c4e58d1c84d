//! Links the pending identity of a browser to the account that signs in from it.
use sqlx::PgConnection;

use crate::crypto::tokens::OpaqueToken;
use crate::domain::user::UserId;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::store::account;
use crate::store::identity::{self, LinkableIdentity};

/// The browser that signs in, and what it named.
#[derive(Clone, Copy, Debug)]
pub struct PendingBrowser<'a> {
    /// `None`: the browser has no pending identity.
    pub hash: Option<[u8; 32]>,
    /// The provider whose identity the sign-in links; may be empty.
    pub provider: &'a str,
}

impl<'a> PendingBrowser<'a> {
    pub fn new(token: &str, provider: &'a str) -> Self {
        Self {
            hash: OpaqueToken::parse(token).map(|token| token.digest()),
            provider,
        }
    }
}

pub async fn link_pending_identity(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    browser: PendingBrowser<'_>,
) -> Result<(), Error> {
    let Some(browser_hash) = browser.hash else {
        return Ok(());
    };
    let now = context.clock.now();
    let pending = identity::take_pending(tx, &browser_hash, user_id, browser.provider, now).await?;
    match pending {
        Some(joinable) => link_identity(context, tx, user_id, &joinable).await,
        None => Ok(()),
    }
}

/// An identity that belongs to an account stays with it.
pub async fn link_identity(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    joinable: &LinkableIdentity,
) -> Result<(), Error> {
    let now = context.clock.now();
    let provider = joinable.provider.as_str();
    if identity::insert(tx, user_id, provider, &joinable.subject, now).await? {
        if joinable.is_verified {
            // And the address was the account's.
            account::prove_email(tx, user_id, now).await?;
        }
        emit::identity_linked(tx, &context.clock, user_id, provider).await?;
        tracing::info!(user.id = %user_id, provider, "identity linked");
    }
    Ok(())
}
