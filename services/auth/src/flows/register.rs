//! Creates an account and signs it in. The unique index on the e-mail decides who was first.
use kit::idempotency::{self, Begin, Key};
use sqlx::PgConnection;

use crate::crypto::passwords::Verdict;
use crate::domain::registration::Registration;
use crate::domain::user::{Entitlements, User, UserId};
use crate::emit;
use crate::error::Error;
use crate::flows::admit_attempt::admit_attempt;
use crate::flows::open_session::open_session;
use crate::flows::{Context, SignedIn};
use crate::store::account::{self, NewAccount};
use crate::store::sign_in_attempt;

pub async fn register(context: &Context, registration: Registration) -> Result<SignedIn, Error> {
    let password_hash = context.passwords.hash(&registration.password).await?;
    let key = idempotency_key(context, &registration);

    let mut tx = context.pool.begin().await?;
    if let Some(key) = &key {
        // One transaction holds the key and the account: a second request with the key waits here for the first.
        match idempotency::begin(&mut tx, &context.clock, key).await? {
            Begin::Fresh | Begin::Resumed => {}
            Begin::Replay(stored) => {
                tx.rollback().await?;
                return replay(context, &registration, &stored).await;
            }
            Begin::OtherBody => return Err(Error::IdempotencyConflict),
            Begin::InProgress => return Err(Error::StillAnswering),
        }
    }

    let signed_in = create(context, &mut tx, &registration, &password_hash).await?;
    if let Some(key) = &key {
        // Only the id: the key's row must hold neither a token nor personal data.
        let stored = signed_in.user.id.to_string();
        idempotency::finish(&mut tx, &context.clock, key, stored.as_bytes()).await?;
    }
    tx.commit().await?;

    metrics::counter!("auth_registrations_total", "method" => emit::METHOD_FORM).increment(1);
    tracing::info!(user.id = %signed_in.user.id, "user registered");
    Ok(signed_in)
}

async fn create(
    context: &Context,
    tx: &mut PgConnection,
    registration: &Registration,
    password_hash: &str,
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
    emit::user_registered(tx, &context.clock, user.id, email_hash, registration).await?;
    Ok(open_session(context, tx, user).await?)
}

/// The account exists; the key alone proves nothing, so the password must fit before a new session is opened.
async fn replay(context: &Context, registration: &Registration, stored: &[u8]) -> Result<SignedIn, Error> {
    let user_id: UserId = std::str::from_utf8(stored)
        .ok()
        .and_then(|text| text.parse().ok())
        .ok_or(Error::DamagedReplay)?;
    admit_attempt(context, &registration.email).await?;

    let account = account::by_id(&mut *context.pool.acquire().await?, user_id).await?;
    let stored_hash = account
        .as_ref()
        .and_then(|account| account.password_hash.as_deref());
    let verdict = context
        .passwords
        .verify(&registration.password, stored_hash)
        .await?;
    let (Some(account), Verdict::Fits | Verdict::FitsOutdated) = (account, verdict) else {
        return Err(Error::IdempotencyConflict);
    };

    let mut tx = context.pool.begin().await?;
    sign_in_attempt::clear(&mut tx, &context.pseudonyms.of(&registration.email)).await?;
    let signed_in = open_session(context, &mut tx, account.user).await?;
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
    Some(Key {
        scope: "anonymous/register".to_owned(),
        key,
        fingerprint,
    })
}
