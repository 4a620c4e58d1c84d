//! Finishes a sign-in that was challenged: uses the code, then opens the session as the sign-in would have.
use crate::crypto::tokens::OpaqueToken;
use crate::domain::caller::Caller;
use crate::domain::device::Familiarity;
use crate::domain::session::second_factor::TypedCode;
use crate::emit;
use crate::error::Error;
use crate::flows::credentials::check_throttle::{check_code_throttle, refund_attempt};
use crate::flows::credentials::link_pending_identity::{PendingBrowser, link_pending_identity};
use crate::flows::credentials::use_code::use_code;
use crate::flows::sessions::open_session::{Proof, open_session};
use crate::flows::{Context, SignedIn};
use crate::store::account;
use crate::store::second_factor::challenge;

pub struct SecondFactorAttempt {
    pub challenge: String,
    pub code: TypedCode,
    pub caller: Caller,
}

pub async fn verify_second_factor(
    context: &Context,
    attempt: &SecondFactorAttempt,
) -> Result<SignedIn, Error> {
    let now = context.clock.now();
    let challenge_hash = OpaqueToken::parse(&attempt.challenge)
        .ok_or(Error::ChallengeExpired)?
        .digest();
    let owner = challenge::owner(&mut *context.pool.acquire().await?, &challenge_hash, now).await?;
    let user_id = owner.ok_or(Error::ChallengeExpired)?;
    let admitted = check_code_throttle(context, user_id, &attempt.caller).await?;

    // A wrong code rolls this back, and the challenge stays.
    let mut tx = kit::database::begin(&context.pool).await?;
    let challenge = challenge::take(&mut tx, &challenge_hash, now)
        .await?
        .ok_or(Error::ChallengeExpired)?;
    use_code(context, &mut tx, user_id, &attempt.code).await?;
    refund_attempt(&mut tx, &admitted).await?;
    let account = account::by_id(&mut tx, challenge.user_id)
        .await?
        .ok_or(Error::ChallengeExpired)?;
    let (method, lang) = (challenge.method.as_str(), challenge.lang.as_deref());
    emit::user_signed_in(&mut tx, &context.clock, user_id, method, lang).await?;
    let browser = PendingBrowser {
        hash: challenge.browser_hash.and_then(|hash| hash.try_into().ok()),
        provider: &challenge.join_provider,
    };
    link_pending_identity(context, &mut tx, user_id, browser).await?;
    let familiarity = if challenge.is_known_browser {
        Familiarity::Known
    } else {
        Familiarity::New
    };
    let proof = Proof::SecondFactor(familiarity);
    let signed_in = open_session(context, &mut tx, account.user, &attempt.caller, proof).await?;
    tx.commit().await?;
    Ok(signed_in)
}
