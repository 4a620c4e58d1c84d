//! Authenticates the member of a session again, by password and second factor, so that sensitive calls are possible for some
//! minutes.
use crate::domain::caller::Caller;
use crate::domain::password::Password;
use crate::domain::session::second_factor::TypedCode;
use crate::error::Error;
use crate::flows::Context;
use crate::flows::credentials::check_throttle::{check_code_throttle, refund_attempt};
use crate::flows::credentials::prove_member::Member;
use crate::flows::credentials::use_code::use_code;
use crate::flows::sessions::live_session::live_session;
use crate::store::{account, session};

pub struct StepUp {
    pub token: String,
    pub password: Password,
    /// As it was typed; ignored for an account without a second factor.
    pub code: String,
    pub caller: Caller,
}

pub async fn step_up(context: &Context, request: &StepUp) -> Result<(), Error> {
    let session = live_session(context, &request.token).await?.session;
    let authentication = session.authentication;
    let account = account::by_id(&mut *context.pool.acquire().await?, session.user.id).await?;
    let stored = account.ok_or(Error::SessionExpired)?.password_hash;
    if stored.is_none() {
        return Err(Error::StepUpRequired(authentication.step_up_methods()));
    }
    let code = if authentication.has_second_factor {
        let code = TypedCode::parse(&request.code);
        Some(code.map_err(|error| Error::Invalid(vec![error]))?)
    } else {
        None
    };
    let member = Member {
        session: &session,
        stored: stored.as_deref(),
        caller: &request.caller,
    };
    let by_password = member.check_throttle(context).await?;
    if !member.password_matches(context, &request.password).await? {
        return Err(member.wrong_password(context, "password"));
    }
    let by_code = match &code {
        Some(_) => Some(check_code_throttle(context, session.user.id, &request.caller).await?),
        None => None,
    };

    let now = context.clock.now();
    let mut tx = kit::database::begin(&context.pool).await?;
    if let Some(code) = &code {
        use_code(context, &mut tx, session.user.id, code).await?;
    }
    for admitted in [Some(by_password), by_code].iter().flatten() {
        refund_attempt(&mut tx, admitted).await?;
    }
    let second_factor_at = code.is_some().then_some(now);
    session::renew_authentication(&mut tx, session.id, now, second_factor_at).await?;
    tx.commit().await?;
    Ok(())
}
