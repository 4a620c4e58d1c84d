//! Opens a session with a new token in the transaction that proved the member, and ends the browser's former session. Tokens are
//! never reused, because one planted before sign-in must stay worthless.
use sqlx::PgConnection;

use crate::crypto::device_cookies;
use crate::crypto::tokens::OpaqueToken;
use crate::domain::caller::Caller;
use crate::domain::device::Familiarity;
use crate::domain::email::Email;
use crate::domain::session::SessionId;
use crate::domain::user::User;
use crate::flows::mails::queue_mail::queue_new_sign_in;
use crate::flows::{Context, SignedIn};
use crate::store::session::{self, NewSession};

/// What opened the session.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proof {
    /// A new account, or a repeat of its registration.
    Registration,
    /// A password or a provider.
    Credential,
    /// A code of the second factor, after a credential. The browser was compared when the credential was presented.
    SecondFactor(Familiarity),
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
        authenticated_at: (proof != Proof::Handoff).then_some(now),
        second_factor_at: matches!(proof, Proof::SecondFactor(_)).then_some(now),
        expires_at,
    };
    session::insert(tx, &opened).await?;
    let browser = match proof {
        Proof::Registration | Proof::Handoff => Familiarity::Known,
        Proof::Credential => familiarity(context, &user.email, caller),
        Proof::SecondFactor(browser) => browser,
    };
    if browser == Familiarity::New {
        queue_new_sign_in(context, tx, &opened).await?;
    }
    Ok(SignedIn {
        device_cookie: device_cookies::make(&context.pseudonyms, &user.email),
        user,
        token,
        expires_at,
    })
}

/// Whether the account was signed in to from this browser before.
pub fn familiarity(context: &Context, email: &Email, caller: &Caller) -> Familiarity {
    match device_cookies::key(&context.pseudonyms, email, &caller.device_cookie) {
        Some(_) => Familiarity::Known,
        None => Familiarity::New,
    }
}
