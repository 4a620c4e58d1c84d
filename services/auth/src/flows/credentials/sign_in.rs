//! Signs in by address and password. An unknown address and a wrong password take the same path: the same statements, hash
//! and error.
use crate::crypto::passwords::PasswordCheck;
use crate::domain::forms::sign_in::Credentials;
use crate::domain::user::UserId;
use crate::emit;
use crate::error::Error;
use crate::flows::credentials::challenge_sign_in::{PendingSignIn, challenge_sign_in};
use crate::flows::credentials::check_throttle::{ThrottlePass, check_throttle, network_tag, refund_attempt};
use crate::flows::credentials::link_pending_identity::{PendingBrowser, link_pending_identity};
use crate::flows::sessions::open_session::{Proof, open_session};
use crate::flows::{Context, SignInOutcome};
use crate::store::account::{self, Account};

pub async fn sign_in(context: &Context, credentials: Credentials) -> Result<SignInOutcome, Error> {
    let admitted = check_throttle(context, &credentials.email, &credentials.caller).await?;

    let account = account::by_email(&mut *context.pool.acquire().await?, &credentials.email).await?;
    let stored = account
        .as_ref()
        .and_then(|account| account.password_hash.as_deref());
    let verdict = context.passwords.verify(&credentials.password, stored).await?;
    let known = account.as_ref().map(|account| account.user.id);
    let (Some(account), PasswordCheck::Match | PasswordCheck::MatchOutdated) = (account, &verdict) else {
        metrics::counter!("auth_sign_ins_total", "outcome" => "refused").increment(1);
        log_refusal(context, &credentials, known);
        return Err(Error::InvalidCredentials);
    };
    let upgraded = match verdict {
        PasswordCheck::MatchOutdated => Some(context.passwords.hash(&credentials.password).await?),
        PasswordCheck::Match | PasswordCheck::Mismatch => None,
    };

    let fresh = VerifiedAccount {
        account,
        rehashed: upgraded,
    };
    let outcome = open_verified(context, &credentials, &admitted, fresh).await?;
    let label = match &outcome {
        SignInOutcome::SignedIn(_) => "signed_in",
        SignInOutcome::Challenged(_) => "challenged",
    };
    metrics::counter!("auth_sign_ins_total", "outcome" => label).increment(1);
    Ok(outcome)
}

/// Neither address nor password: a member's id, and a mark that joins the attempts of one network.
fn log_refusal(context: &Context, credentials: &Credentials, user_id: Option<UserId>) {
    tracing::info!(
        user.id = user_id.map(|id| id.to_string()).unwrap_or_default(),
        network = network_tag(context, &credentials.caller),
        "sign-in refused"
    );
}

struct VerifiedAccount {
    account: Account,
    /// The password hashed as hashes are made today, where it was not.
    rehashed: Option<String>,
}

async fn open_verified(
    context: &Context,
    credentials: &Credentials,
    admitted: &ThrottlePass,
    VerifiedAccount {
        account,
        rehashed: upgraded,
    }: VerifiedAccount,
) -> Result<SignInOutcome, Error> {
    let mut tx = kit::database::begin(&context.pool).await?;
    if let Some(upgraded) = &upgraded {
        account::replace_password_hash(&mut tx, &account, upgraded).await?;
    }
    refund_attempt(&mut tx, admitted).await?;
    let browser = PendingBrowser::new(&credentials.social_browser, &credentials.join_provider);
    let pending = PendingSignIn {
        user: &account.user,
        method: emit::METHOD_SIGN_IN,
        lang: credentials.lang.as_deref(),
        browser,
        caller: &credentials.caller,
    };
    if let Some(challenge) = challenge_sign_in(context, &mut tx, &pending).await? {
        tx.commit().await?;
        return Ok(SignInOutcome::Challenged(challenge));
    }
    emit::user_signed_in(
        &mut tx,
        &context.clock,
        account.user.id,
        emit::METHOD_SIGN_IN,
        credentials.lang.as_deref(),
    )
    .await?;
    link_pending_identity(context, &mut tx, account.user.id, browser).await?;
    let caller = &credentials.caller;
    let signed_in = open_session(context, &mut tx, account.user, caller, Proof::Credential).await?;
    tx.commit().await?;
    Ok(SignInOutcome::SignedIn(signed_in))
}
