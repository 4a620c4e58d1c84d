//! Stores a sign-in whose first factor was right until its second factor is entered. It opens no session, ends none, links no
//! identity and emits nothing.
use sqlx::PgConnection;

use crate::crypto::tokens::OpaqueToken;
use crate::domain::caller::Caller;
use crate::domain::device::Familiarity;
use crate::domain::session::second_factor::CHALLENGE_TTL;
use crate::domain::user::User;
use crate::flows::Context;
use crate::flows::credentials::link_pending_identity::PendingBrowser;
use crate::flows::sessions::open_session::familiarity;
use crate::store::second_factor;
use crate::store::second_factor::challenge::{self, NewChallenge};

pub struct PendingSignIn<'a> {
    pub user: &'a User,
    /// As in the event `user.signed_in`.
    pub method: &'a str,
    pub lang: Option<&'a str>,
    pub browser: PendingBrowser<'a>,
    pub caller: &'a Caller,
}

/// `None`: the account has no second factor.
pub async fn challenge_sign_in(
    context: &Context,
    tx: &mut PgConnection,
    pending: &PendingSignIn<'_>,
) -> Result<Option<OpaqueToken>, sqlx::Error> {
    let user = pending.user;
    if !second_factor::is_enabled(tx, user.id).await? {
        return Ok(None);
    }
    let challenge = OpaqueToken::random();
    let new = NewChallenge {
        challenge_hash: challenge.digest(),
        user_id: user.id,
        method: pending.method,
        lang: pending.lang,
        join_provider: pending.browser.provider,
        browser_hash: pending.browser.hash,
        is_known_browser: familiarity(context, &user.email, pending.caller) == Familiarity::Known,
        expires_at: context.clock.now() + CHALLENGE_TTL,
    };
    challenge::insert(tx, &new).await?;
    Ok(Some(challenge))
}
