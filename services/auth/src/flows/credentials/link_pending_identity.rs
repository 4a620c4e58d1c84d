//! Links the pending identity of a browser to the account that signs in from it.
use sqlx::PgConnection;

use crate::crypto::tokens::OpaqueToken;
use crate::domain::user::UserId;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::store::account;
use crate::store::identity::{self, LinkableIdentity};

pub async fn link_pending_identity(
    context: &Context,
    tx: &mut PgConnection,
    user_id: UserId,
    browser: &str,
    provider: &str,
) -> Result<(), Error> {
    let Some(browser) = OpaqueToken::parse(browser) else {
        return Ok(());
    };
    let now = context.clock.now();
    let pending = identity::take_pending(tx, &browser.digest(), user_id, provider, now).await?;
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
