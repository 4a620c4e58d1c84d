//! Takes a handoff token, once, and signs in whom it stands for.
use crate::crypto::tokens::OpaqueToken;
use crate::domain::caller::Caller;
use crate::domain::handoff::{self, Refusal};
use crate::emit;
use crate::error::Error;
use crate::flows::open_session::open_session;
use crate::flows::{Context, SignedIn};
use crate::store::{account, handoff_token};

pub async fn redeem_handoff_token(
    context: &Context,
    token: &str,
    caller: &Caller,
) -> Result<SignedIn, Error> {
    let now = context.clock.now();
    let token = OpaqueToken::parse(token).ok_or(Error::HandoffUnknown)?;
    let digest = token.digest();

    let mut tx = context.pool.begin().await?;
    let on_record = handoff_token::for_use(&mut tx, &digest).await?;
    let user_id = match handoff::redeem(on_record, now) {
        Ok(user_id) => user_id,
        Err(refusal) => {
            let error = Error::from(refusal);
            emit::token_refused(&mut tx, &context.clock, error.handoff_code()).await?;
            tx.commit().await?;
            return Err(error);
        }
    };
    handoff_token::mark_used(&mut tx, &digest, now).await?;
    let account = account::by_id(&mut tx, user_id)
        .await?
        .ok_or(Error::HandoffUnknown)?;
    emit::token_validated(&mut tx, &context.clock, user_id).await?;
    emit::user_signed_in_by_token(&mut tx, &context.clock, user_id).await?;
    let signed_in = open_session(context, &mut tx, account.user, caller).await?;
    tx.commit().await?;
    Ok(signed_in)
}

impl From<Refusal> for Error {
    fn from(refusal: Refusal) -> Self {
        match refusal {
            Refusal::Unknown => Self::HandoffUnknown,
            Refusal::Over => Self::HandoffOver,
        }
    }
}
