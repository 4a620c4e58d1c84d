//! Redeems a handoff token. A session of the same member stays; a session of another member rejects the token.
use crate::crypto::tokens::OpaqueToken;
use crate::domain::caller::Caller;
use crate::domain::handoff::{self, HandoffError};
use crate::domain::user::{User, UserId};
use crate::emit;
use crate::error::Error;
use crate::flows::sessions::live_session::live_session;
use crate::flows::sessions::open_session::{Proof, open_session};
use crate::flows::{Context, SignedIn};
use crate::store::{account, handoff_token};

pub enum Redeemed {
    Opened(SignedIn),
    /// The browser has a session of the member already.
    AlreadySignedIn(User),
}

pub async fn redeem_handoff_token(
    context: &Context,
    token: &str,
    caller: &Caller,
) -> Result<Redeemed, Error> {
    let now = context.clock.now();
    let token = OpaqueToken::parse(token).ok_or(Error::HandoffUnknown)?;
    let digest = token.digest();
    let here = member_here(context, caller).await?;

    let mut tx = kit::database::begin(&context.pool).await?;
    let on_record = handoff_token::for_use(&mut tx, &digest).await?;
    let of_another = |user_id: &UserId| here.is_some_and(|here| here != *user_id);
    let user_id = match handoff::redeem(on_record, now).map_err(Error::from) {
        Ok(user_id) if !of_another(&user_id) => user_id,
        refused => {
            let error = refused.err().unwrap_or(Error::HandoffOtherMember);
            emit::token_refused(&mut tx, &context.clock, error.handoff_code()).await?;
            tx.commit().await?;
            tracing::info!(code = error.handoff_code().as_str_name(), "handoff token refused");
            return Err(error);
        }
    };
    handoff_token::mark_used(&mut tx, &digest, now).await?;
    let account = account::by_id(&mut tx, user_id)
        .await?
        .ok_or(Error::HandoffUnknown)?;
    emit::token_validated(&mut tx, &context.clock, user_id).await?;
    let redeemed = if here.is_some() {
        Redeemed::AlreadySignedIn(account.user)
    } else {
        emit::user_signed_in_by_token(&mut tx, &context.clock, user_id).await?;
        Redeemed::Opened(open_session(context, &mut tx, account.user, caller, Proof::Handoff).await?)
    };
    tx.commit().await?;
    Ok(redeemed)
}

async fn member_here(context: &Context, caller: &Caller) -> Result<Option<UserId>, Error> {
    if caller.session.is_empty() {
        return Ok(None);
    }
    match live_session(context, &caller.session).await {
        Ok(presented) => Ok(Some(presented.session.user.id)),
        Err(Error::SessionExpired) => Ok(None),
        Err(error) => Err(error),
    }
}

impl From<HandoffError> for Error {
    fn from(refusal: HandoffError) -> Self {
        match refusal {
            HandoffError::Unknown => Self::HandoffUnknown,
            HandoffError::Expired => Self::HandoffExpired,
        }
    }
}
