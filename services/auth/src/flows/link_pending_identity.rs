//! Joins what a browser began with a provider to the account that was just signed in to from it: whoever can do both is
//! the same person.
use sqlx::PgConnection;

use crate::crypto::tokens::OpaqueToken;
use crate::domain::user::UserId;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::store::{account, identity};

pub async fn link_pending_identity(
    context: &Context,
    tx: &mut PgConnection,
    browser: &str,
    user_id: UserId,
) -> Result<(), Error> {
    let Some(browser) = OpaqueToken::parse(browser) else {
        return Ok(());
    };
    let now = context.clock.now();
    let pending = identity::take_pending(tx, &browser.digest(), user_id, now).await?;
    let Some((provider, subject)) = pending else {
        return Ok(());
    };
    if identity::insert(tx, user_id, (&provider, &subject), now).await? {
        // The provider had verified the address, and it was the account's.
        account::prove_email(tx, user_id, now).await?;
        emit::identity_linked(tx, &context.clock, user_id, &provider).await?;
        tracing::info!(user.id = %user_id, provider, "identity linked");
    }
    Ok(())
}
