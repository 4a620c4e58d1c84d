//! Deletes an account in one transaction and requests erasure from all other services.

use kit::erasure::{self as saga, ErasureJob};

use crate::crypto::tokens::OpaqueToken;
use crate::domain::caller::Caller;
use crate::domain::erasure::{Erasure, ErasureId, OTHER_SERVICES};
use crate::domain::password::Password;
use crate::domain::session::step_up::Brought;
use crate::emit;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::credentials::check_throttle::delete_attempts;
use crate::flows::credentials::prove_member::Member;
use crate::flows::privacy::get_erasure::get_erasure;
use crate::flows::sessions::live_session::live_session;
use crate::store::account;
use crate::store::erasure::{self, NewErasure};
use crate::store::session::LiveSession;

pub struct ErasureRequest {
    pub token: String,
    /// As it was typed. Empty: the session's authentication is the proof.
    pub password: String,
    pub caller: Caller,
}

pub async fn request_erasure(context: &Context, request: &ErasureRequest) -> Result<Erasure, Error> {
    let token = OpaqueToken::parse(&request.token).ok_or(Error::SessionExpired)?;
    let request_token_hash = token.digest();
    let session = match live_session(context, &request.token).await {
        Ok(presented) => presented.session,
        // It ended with the account, if this is a repeat.
        Err(Error::SessionExpired) => return requested_before(context, &request_token_hash).await,
        Err(error) => return Err(error),
    };
    prove(context, &session, request).await?;
    match end_account(context, &session, request_token_hash).await? {
        Some(id) => get_erasure(context, id).await,
        None => requested_before(context, &request_token_hash).await,
    }
}

async fn requested_before(context: &Context, request_token_hash: &[u8; 32]) -> Result<Erasure, Error> {
    let found = erasure::by_request_token(&mut *context.pool.acquire().await?, request_token_hash).await?;
    get_erasure(context, found.ok_or(Error::SessionExpired)?).await
}

/// A browser that was left open is not enough.
async fn prove(context: &Context, session: &LiveSession, request: &ErasureRequest) -> Result<(), Error> {
    let (authentication, now) = (session.authentication, context.clock.now());
    if request.password.is_empty() || !authentication.has_password {
        return Ok(authentication.check(Brought::Nothing, now)?);
    }
    let account = account::by_id(&mut *context.pool.acquire().await?, session.user.id).await?;
    let stored = account.ok_or(Error::SessionExpired)?.password_hash;
    let password = Password::presented(&request.password).map_err(|_| Error::WrongPassword("password"))?;
    let member = Member {
        session,
        stored: stored.as_deref(),
        caller: &request.caller,
    };
    let admitted = member.check_throttle(context).await?;
    if !member.password_matches(context, &password).await? {
        return Err(member.wrong_password(context, "password"));
    }
    member.refund_attempt(context, &admitted).await?;
    Ok(authentication.check(Brought::Password, now)?)
}

/// `None` when another request was a moment faster.
async fn end_account(
    context: &Context,
    session: &LiveSession,
    request_token_hash: [u8; 32],
) -> Result<Option<ErasureId>, Error> {
    let now = context.clock.now();
    let user_id = session.user.id;
    let mut tx = kit::database::begin(&context.pool).await?;
    // Sessions, links, mails, handoffs and identities go with it.
    let Some((email, lang)) = account::delete(&mut tx, user_id).await? else {
        return Ok(None);
    };
    delete_attempts(context, &mut tx, &email).await?;
    let new = NewErasure {
        id: ErasureId::new(now),
        request_token_hash,
        recipient: &email,
        lang: lang.as_deref(),
        requested_at: now,
    };
    erasure::insert(&mut tx, &new).await?;
    let job = ErasureJob {
        erasure_id: new.id.to_string(),
        user_id: user_id.to_string(),
        services: OTHER_SERVICES.map(str::to_owned).to_vec(),
    };
    saga::enqueue(&mut tx, &context.clock, &job).await?;
    emit::erasure_requested(&mut tx, &context.clock, job).await?;
    tx.commit().await?;
    metrics::counter!("auth_erasures_requested_total").increment(1);
    tracing::info!(erasure = %new.id, "account deleted");
    Ok(Some(new.id))
}
