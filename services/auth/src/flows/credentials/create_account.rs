//! Creates an account and signs it in: with a password, or with a mailed link to choose one. The unique index on the e-mail
//! decides who was first.
use kit::idempotency::{self, Key, Rejection};
use sqlx::PgConnection;

use crate::crypto::passwords::PasswordCheck;
use crate::domain::forms::registration::Registration;
use crate::domain::mail::Template;
use crate::domain::user::{Entitlements, User, UserId};
use crate::emit::{self, NewUser};
use crate::error::Error;
use crate::flows::credentials::check_throttle::{check_throttle, refund_attempt};
use crate::flows::mails::queue_mail::queue_link_mail;
use crate::flows::sessions::open_session::{Proof, open_session};
use crate::flows::{Context, SignedIn};
use crate::store::account::{self, NewAccount};
use crate::store::second_factor;

/// `password_hash` is that of the registration's password.
pub async fn create_account(
    context: &Context,
    registration: &Registration,
    password_hash: Option<&str>,
) -> Result<SignedIn, Error> {
    let key = idempotency_key(context, registration);

    let mut tx = kit::database::begin(&context.pool).await?;
    if let Some(user_id) = idempotency::claim::<_, Error>(&mut tx, &context.clock, key.as_ref()).await? {
        tx.rollback().await?;
        return replay(context, registration, user_id).await;
    }
    let signed_in = create(context, &mut tx, registration, password_hash).await?;
    // Only the id: the key's row must hold neither a token nor personal data.
    idempotency::store(&mut tx, &context.clock, key.as_ref(), &signed_in.user.id).await?;
    tx.commit().await?;

    metrics::counter!("auth_registrations_total", "method" => emit::method_of(registration)).increment(1);
    tracing::info!(user.id = %signed_in.user.id, "user registered");
    Ok(signed_in)
}

async fn create(
    context: &Context,
    tx: &mut PgConnection,
    registration: &Registration,
    password_hash: Option<&str>,
) -> Result<SignedIn, Error> {
    let now = context.clock.now();
    let user = User {
        id: UserId::new(now),
        full_name: registration.full_name.clone(),
        email: registration.email.clone(),
        entitlements: Entitlements::default(),
    };
    let created = NewAccount {
        user: &user,
        password_hash,
        lang: registration.lang.as_deref(),
        country: registration.country.as_deref(),
        created_at: now,
    };
    account::insert(tx, &created).await?;

    let email_hash = context.pseudonyms.of(&user.email);
    let newcomer = NewUser {
        user_id: user.id,
        email_hash,
        method: emit::method_of(registration),
        order_id: &registration.order_id,
        lang: registration.lang.as_deref(),
        country: registration.country.as_deref(),
    };
    emit::user_registered(tx, &context.clock, &newcomer).await?;
    if password_hash.is_none() {
        let lang = registration.lang.as_deref();
        queue_link_mail(context, tx, Template::SetPassword, Some(user.id), lang).await?;
    }
    Ok(open_session(context, tx, user, &registration.caller, Proof::Registration).await?)
}

/// The account exists; the key alone proves nothing, so the password must fit before a new session is opened. Where
/// none was given, the key is all there is, and it is good for as long as the account has no password either.
async fn replay(context: &Context, registration: &Registration, user_id: UserId) -> Result<SignedIn, Error> {
    let admitted = check_throttle(context, &registration.email, &registration.caller).await?;

    let account = account::by_id(&mut *context.pool.acquire().await?, user_id).await?;
    let stored_hash = account
        .as_ref()
        .and_then(|account| account.password_hash.as_deref());
    let is_theirs = match &registration.password {
        Some(password) => context.passwords.verify(password, stored_hash).await? != PasswordCheck::Mismatch,
        None => stored_hash.is_none(),
    };
    let Some(account) = account.filter(|_| is_theirs) else {
        return Err(Rejection::Conflict.into());
    };

    let mut tx = kit::database::begin(&context.pool).await?;
    if second_factor::is_enabled(&mut tx, account.user.id).await? {
        // A repeat this late is no lost response; the member signs in.
        return Err(Rejection::Conflict.into());
    }
    refund_attempt(&mut tx, &admitted).await?;
    let signed_in = open_session(
        context,
        &mut tx,
        account.user,
        &registration.caller,
        Proof::Registration,
    )
    .await?;
    tx.commit().await?;
    Ok(signed_in)
}

/// The password is no part of the fingerprint: a fast hash of it must not lie in a table. `replay` compares it.
fn idempotency_key(context: &Context, registration: &Registration) -> Option<Key> {
    let key = registration.idempotency_key.clone()?;
    let fingerprint = context.pseudonyms.fingerprint(&[
        &registration.full_name,
        registration.email.as_str(),
        registration.lang.as_deref().unwrap_or_default(),
        registration.country.as_deref().unwrap_or_default(),
        &registration.order_id,
    ]);
    let scope = match registration.password {
        Some(_) => "anonymous/register",
        None => "anonymous/register-by-email",
    };
    Some(Key {
        scope: scope.to_owned(),
        key,
        fingerprint,
    })
}
