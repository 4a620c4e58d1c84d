//! Signs in with Apple, Google or Facebook.
//!
//! The provider is called before the transaction. The nonce or token is marked as used in the transaction that opens the
//! session. An existing account is linked only with a proof of its owner.
use chrono::{DateTime, Utc};
use kit::idempotency::{self, Key, Rejection};
use serde::{Deserialize, Serialize};
use sqlx::PgConnection;

use crate::crypto::social_nonces;
use crate::crypto::tokens::OpaqueToken;
use crate::domain::email::Email;
use crate::domain::forms::registration::DEFAULT_NAME;
use crate::domain::social::{
    Assertion, ExistingAccount, LinkDecision, PENDING_TTL, SocialRejection, SocialSignIn, TokenError,
};
use crate::domain::user::{Entitlements, User, UserId};
use crate::emit::{self, NewUser};
use crate::error::Error;
use crate::flows::credentials::challenge_sign_in::{PendingSignIn, challenge_sign_in};
use crate::flows::credentials::check_throttle::network_tag;
use crate::flows::credentials::link_pending_identity::{
    PendingBrowser, link_identity, link_pending_identity,
};
use crate::flows::sessions::live_session::live_session;
use crate::flows::sessions::open_session::{Proof, open_session};
use crate::flows::{Context, SignInOutcome};
use crate::ports::ProviderError;
use crate::store::account::{self, Account, NewAccount};
use crate::store::identity::{self, LinkableIdentity, Pending};

pub struct SocialSignInResult {
    pub user_id: UserId,
    pub outcome: SignInOutcome,
    pub is_new: bool,
}

pub async fn sign_in_socially(context: &Context, attempt: SocialSignIn) -> Result<SocialSignInResult, Error> {
    let entered = match verify_credential(context, &attempt).await {
        Ok(proven) => match sign_in_verified(context, &attempt, &proven).await {
            // A concurrent request created the account or identity; it exists now.
            Err(Error::EmailTaken) => sign_in_verified(context, &attempt, &proven).await,
            entered => entered,
        },
        Err(error) => Err(error),
    };
    let outcome = match &entered {
        Ok(SocialSignInResult { is_new: true, .. }) => "registered",
        Ok(SocialSignInResult {
            outcome: SignInOutcome::Challenged(_),
            ..
        }) => "challenged",
        Ok(_) => "signed_in",
        Err(Error::SocialToken(_)) => "refused",
        Err(Error::SocialUnavailable(_)) => "unavailable",
        Err(_) => "not_let_in",
    };
    if let Err(error) = &entered {
        tracing::info!(
            provider = attempt.provider.as_str(),
            network = network_tag(context, &attempt.caller),
            %error,
            "sign-in with a provider refused"
        );
    }
    metrics::counter!("auth_social_sign_ins_total", "provider" => attempt.provider.as_str(), "outcome" => outcome)
        .increment(1);
    entered
}

/// Response of an idempotency key.
#[derive(Serialize, Deserialize)]
struct StoredSignIn {
    user_id: UserId,
    is_new: bool,
}

/// What the provider said, and what is used up by it.
struct VerifiedCredential {
    assertion: Assertion,
    browser: OpaqueToken,
    credential: [u8; 32],
    credential_ends: DateTime<Utc>,
}

async fn verify_credential(context: &Context, attempt: &SocialSignIn) -> Result<VerifiedCredential, Error> {
    let provider = context
        .identity_provider(attempt.provider)
        .ok_or(Error::SocialNotOffered)?;
    let has_nonce = attempt.provider.has_nonce();
    let browser = match OpaqueToken::parse(&attempt.browser) {
        None if has_nonce => return Err(Error::SocialToken(TokenError::Nonce)),
        known => known.unwrap_or_else(OpaqueToken::random),
    };
    let now = context.clock.now();
    let assertion = provider.verify(&attempt.token, now).await?;
    if !assertion.matches_claims(attempt) {
        return Err(Error::SocialToken(TokenError::Claims));
    }
    let (credential, credential_ends) = match (&assertion.nonce, has_nonce) {
        (_, false) => (attempt.token.as_str(), assertion.expires_at),
        (Some(nonce), true) => {
            let end = social_nonces::verified_expiry(&context.pseudonyms, &browser, nonce, now);
            (nonce.as_str(), end.ok_or(Error::SocialToken(TokenError::Nonce))?)
        }
        (None, true) => return Err(Error::SocialToken(TokenError::Nonce)),
    };
    Ok(VerifiedCredential {
        credential: social_nonces::digest(credential),
        credential_ends,
        assertion,
        browser,
    })
}

async fn sign_in_verified(
    context: &Context,
    attempt: &SocialSignIn,
    proven: &VerifiedCredential,
) -> Result<SocialSignInResult, Error> {
    let key = idempotency_key(context, attempt);
    let here = recently_proven_member(context, attempt).await?;
    let mut tx = kit::database::begin(&context.pool).await?;
    if let Some(stored) = idempotency::claim::<_, Error>(&mut tx, &context.clock, key.as_ref()).await? {
        tx.rollback().await?;
        return replay(context, attempt, stored).await;
    }
    mark_credential_used(&mut tx, proven).await?;
    let entered = match match_account(&mut tx, &proven.assertion).await? {
        AccountMatch::Member(account) => sign_in_member(context, &mut tx, attempt, proven, account).await?,
        AccountMatch::NewUser(_) if attempt.existing_only => return Err(Error::SocialAccountMissing),
        AccountMatch::NewUser(email) => register_new_user(context, &mut tx, attempt, proven, email).await?,
        AccountMatch::LinkRequired(account) if here == Some(account.user.id) => {
            link_and_sign_in(context, &mut tx, attempt, proven, account).await?
        }
        AccountMatch::LinkRequired(account) => {
            tx.rollback().await?;
            store_pending_identity(context, proven, account.user.id).await?;
            return Err(Error::SocialLinkRequired);
        }
    };
    let stored = StoredSignIn {
        user_id: entered.user_id,
        is_new: entered.is_new,
    };
    idempotency::store(&mut tx, &context.clock, key.as_ref(), &stored).await?;
    tx.commit().await?;
    Ok(entered)
}

/// The member who has proven themselves in this browser a moment ago, and is signed in.
async fn recently_proven_member(context: &Context, attempt: &SocialSignIn) -> Result<Option<UserId>, Error> {
    if attempt.caller.session.is_empty() {
        return Ok(None);
    }
    match live_session(context, &attempt.caller.session).await {
        Ok(presented) => {
            let session = presented.session;
            let is_recent = session.authentication.is_recent(context.clock.now());
            Ok(is_recent.then_some(session.user.id))
        }
        Err(Error::SessionExpired) => Ok(None),
        Err(error) => Err(error),
    }
}

async fn link_and_sign_in(
    context: &Context,
    tx: &mut PgConnection,
    attempt: &SocialSignIn,
    proven: &VerifiedCredential,
    account: Account,
) -> Result<SocialSignInResult, Error> {
    let joinable = LinkableIdentity {
        provider: proven.assertion.provider.as_str().to_owned(),
        subject: proven.assertion.subject.clone(),
        is_verified: proven.assertion.is_email_verified,
    };
    link_identity(context, tx, account.user.id, &joinable).await?;
    sign_in_member(context, tx, attempt, proven, account).await
}

enum AccountMatch {
    Member(Account),
    NewUser(Email),
    LinkRequired(Account),
}

async fn match_account(tx: &mut PgConnection, assertion: &Assertion) -> Result<AccountMatch, Error> {
    // The account is read before the identity. Both commit in one transaction, so an account seen here has its identity.
    // In the other order, a first sign-in in two windows at once would find the account without its identity.
    let taken = match &assertion.email {
        Some(email) => account::by_email(tx, email).await?,
        None => None,
    };
    let known = match identity::owner(tx, assertion).await? {
        Some(user_id) => account::by_id(tx, user_id).await?,
        None => None,
    };
    let existing = match (&known, &taken) {
        (Some(_), _) => ExistingAccount::WithIdentity,
        (None, Some(_)) => ExistingAccount::WithAddress,
        (None, None) => ExistingAccount::None,
    };
    match (assertion.link_decision(existing), known, taken) {
        (Ok(LinkDecision::Member), Some(account), _) => Ok(AccountMatch::Member(account)),
        (Ok(LinkDecision::LinkRequired), _, Some(account)) => Ok(AccountMatch::LinkRequired(account)),
        (Ok(_), _, _) => {
            let email = assertion.email.clone();
            email.map(AccountMatch::NewUser).ok_or(Error::SocialEmailMissing)
        }
        (Err(SocialRejection::EmailMissing), _, _) => Err(Error::SocialEmailMissing),
        (Err(SocialRejection::EmailUnverified), _, _) => Err(Error::SocialEmailUnverified),
    }
}

async fn mark_credential_used(tx: &mut PgConnection, proven: &VerifiedCredential) -> Result<(), Error> {
    if identity::mark_credential_used(tx, &proven.credential, proven.credential_ends).await? {
        return Ok(());
    }
    Err(Error::SocialToken(TokenError::Replayed))
}

async fn sign_in_member(
    context: &Context,
    tx: &mut PgConnection,
    attempt: &SocialSignIn,
    proven: &VerifiedCredential,
    account: Account,
) -> Result<SocialSignInResult, Error> {
    let now = context.clock.now();
    let user = account.user;
    if proven.assertion.proven_email() == Some(&user.email) {
        account::prove_email(tx, user.id, now).await?;
    }
    if let Some(challenge) = challenge_sign_in(context, tx, &pending(attempt, &user)).await? {
        return Ok(SocialSignInResult {
            user_id: user.id,
            outcome: SignInOutcome::Challenged(challenge),
            is_new: false,
        });
    }
    link_pending_identity(context, tx, user.id, PendingBrowser::new(&attempt.browser, "")).await?;
    let method = attempt.provider.as_str();
    emit::user_signed_in(tx, &context.clock, user.id, method, attempt.lang.as_deref()).await?;
    let signed_in = open_session(context, tx, user, &attempt.caller, Proof::Credential).await?;
    Ok(SocialSignInResult {
        user_id: signed_in.user.id,
        outcome: SignInOutcome::SignedIn(signed_in),
        is_new: false,
    })
}

fn pending<'a>(attempt: &'a SocialSignIn, user: &'a User) -> PendingSignIn<'a> {
    PendingSignIn {
        user,
        method: attempt.provider.as_str(),
        lang: attempt.lang.as_deref(),
        browser: PendingBrowser::new(&attempt.browser, ""),
        caller: &attempt.caller,
    }
}

async fn register_new_user(
    context: &Context,
    tx: &mut PgConnection,
    attempt: &SocialSignIn,
    proven: &VerifiedCredential,
    email: Email,
) -> Result<SocialSignInResult, Error> {
    let now = context.clock.now();
    let assertion = &proven.assertion;
    let user = User {
        id: UserId::new(now),
        full_name: assertion
            .full_name(attempt)
            .unwrap_or_else(|| DEFAULT_NAME.to_owned()),
        email,
        entitlements: Entitlements::default(),
    };
    let created = NewAccount {
        user: &user,
        password_hash: None,
        lang: attempt.lang.as_deref(),
        country: attempt.country.as_deref(),
        created_at: now,
    };
    account::insert(tx, &created).await?;
    if assertion.is_email_verified {
        account::prove_email(tx, user.id, now).await?;
    }
    let method = attempt.provider.as_str();
    if !identity::insert(tx, user.id, method, &assertion.subject, now).await? {
        return Err(Error::EmailTaken);
    }
    let newcomer = NewUser {
        user_id: user.id,
        email_hash: context.pseudonyms.of(&user.email),
        method,
        order_id: &attempt.order_id,
        lang: attempt.lang.as_deref(),
        country: attempt.country.as_deref(),
    };
    emit::user_registered(tx, &context.clock, &newcomer).await?;
    emit::identity_linked(tx, &context.clock, user.id, method).await?;
    metrics::counter!("auth_registrations_total", "method" => method).increment(1);
    tracing::info!(user.id = %user.id, "user registered");
    let signed_in = open_session(context, tx, user, &attempt.caller, Proof::Registration).await?;
    Ok(SocialSignInResult {
        user_id: signed_in.user.id,
        outcome: SignInOutcome::SignedIn(signed_in),
        is_new: true,
    })
}

async fn store_pending_identity(
    context: &Context,
    proven: &VerifiedCredential,
    user_id: UserId,
) -> Result<(), Error> {
    let mut tx = kit::database::begin(&context.pool).await?;
    mark_credential_used(&mut tx, proven).await?;
    let pending = Pending {
        browser_hash: proven.browser.digest(),
        provider: proven.assertion.provider,
        subject: &proven.assertion.subject,
        user_id,
        is_verified: proven.assertion.is_email_verified,
        expires_at: context.clock.now() + PENDING_TTL,
    };
    identity::upsert_pending(&mut tx, &pending).await?;
    tx.commit().await?;
    Ok(())
}

/// The same browser with the same token, which the provider has just vouched for once more: only the session is fresh.
async fn replay(
    context: &Context,
    attempt: &SocialSignIn,
    stored: StoredSignIn,
) -> Result<SocialSignInResult, Error> {
    let mut tx = kit::database::begin(&context.pool).await?;
    let account = account::by_id(&mut tx, stored.user_id)
        .await?
        .ok_or(Rejection::Conflict)?;
    let user = account.user;
    let challenged = challenge_sign_in(context, &mut tx, &pending(attempt, &user)).await?;
    let outcome = if let Some(challenge) = challenged {
        SignInOutcome::Challenged(challenge)
    } else {
        let caller = &attempt.caller;
        SignInOutcome::SignedIn(open_session(context, &mut tx, user, caller, Proof::Credential).await?)
    };
    tx.commit().await?;
    Ok(SocialSignInResult {
        user_id: stored.user_id,
        outcome,
        is_new: stored.is_new,
    })
}

fn idempotency_key(context: &Context, attempt: &SocialSignIn) -> Option<Key> {
    Some(Key {
        scope: format!("anonymous/sign-in-socially/{}", attempt.provider.as_str()),
        key: attempt.idempotency_key.clone()?,
        fingerprint: context
            .pseudonyms
            .fingerprint(&[&attempt.token, &attempt.browser]),
    })
}

impl From<ProviderError> for Error {
    fn from(error: ProviderError) -> Self {
        match error {
            ProviderError::InvalidToken(flaw) => Self::SocialToken(flaw),
            ProviderError::Unavailable(detail) => Self::SocialUnavailable(detail),
        }
    }
}
