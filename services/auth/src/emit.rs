//! Events of auth, appended to the outbox of the open transaction.
use kit::error::ErrorCode;
use std::fmt::Display;

use chrono::{DateTime, Utc};
use kit::clock::Clock;
use kit::erasure::ErasureJob;
use kit::outbox::{self, NewEvent};
use proto::Timestamp;
use proto::events::Event;
use proto::events::v1::{
    AccountErased, ErasureRequested, HandoffTokenIssued, IdentityLinked, PasswordResetRequested,
    ProfileUpdated, RoleGranted, RoleRevoked, SecondFactorDisabled, SecondFactorEnabled,
    TemporaryPremiumGranted, TokenValidated, UserRegistered, UserSignedIn,
};
use sqlx::PgConnection;

use crate::domain::erasure::ErasureId;
use crate::domain::forms::registration::Registration;
use crate::domain::handoff::Purpose;
use crate::domain::user::UserId;
use crate::domain::user::role::Role;
use crate::error::Error;

const METHOD_FORM: &str = "form";
const METHOD_EMAIL_ONLY: &str = "email_only";
pub const METHOD_SIGN_IN: &str = "signin";
const METHOD_TOKEN: &str = "auto_signin";
const SOUL: &str = "soul";

/// Who has an account now, and how they came by it.
pub struct NewUser<'a> {
    pub user_id: UserId,
    pub email_hash: [u8; 32],
    pub method: &'static str,
    pub order_id: &'a str,
    pub lang: Option<&'a str>,
    pub country: Option<&'a str>,
}

pub async fn user_registered(
    tx: &mut PgConnection,
    clock: &Clock,
    newcomer: &NewUser<'_>,
) -> Result<(), Error> {
    let data = UserRegistered {
        user_id: newcomer.user_id.to_string(),
        email_hash: hex::encode(newcomer.email_hash),
        method: newcomer.method.to_owned(),
        order_id: newcomer.order_id.to_owned(),
    };
    let draft = NewEvent::new(newcomer.user_id, &data)?
        .lang(newcomer.lang.unwrap_or_default())
        .country(newcomer.country.unwrap_or_default());
    outbox::append(tx, clock, draft).await?;
    Ok(())
}

pub async fn user_signed_in(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
    method: &str,
    lang: Option<&str>,
) -> Result<(), Error> {
    let data = UserSignedIn {
        user_id: user_id.to_string(),
        method: method.to_owned(),
    };
    let draft = NewEvent::new(user_id, &data)?.lang(lang.unwrap_or_default());
    outbox::append(tx, clock, draft).await?;
    Ok(())
}

pub async fn user_signed_in_by_token(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
) -> Result<(), Error> {
    let data = UserSignedIn {
        user_id: user_id.to_string(),
        method: METHOD_TOKEN.to_owned(),
    };
    append(tx, clock, user_id, &data).await
}

pub async fn identity_linked(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
    provider: &str,
) -> Result<(), Error> {
    let data = IdentityLinked {
        user_id: user_id.to_string(),
        provider: provider.to_owned(),
    };
    append(tx, clock, user_id, &data).await
}

pub async fn handoff_token_issued(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
    purpose: Purpose,
) -> Result<(), Error> {
    let data = HandoffTokenIssued {
        user_id: user_id.to_string(),
        purpose: purpose.as_str().to_owned(),
    };
    append(tx, clock, user_id, &data).await
}

pub async fn token_validated(tx: &mut PgConnection, clock: &Clock, user_id: UserId) -> Result<(), Error> {
    let data = TokenValidated {
        user_id: user_id.to_string(),
        error_code: String::new(),
    };
    append(tx, clock, user_id, &data).await
}

pub async fn token_refused(tx: &mut PgConnection, clock: &Clock, code: ErrorCode) -> Result<(), Error> {
    let data = TokenValidated {
        user_id: String::new(),
        error_code: code.as_str_name().to_owned(),
    };
    append(tx, clock, "", &data).await
}

pub async fn temporary_premium_granted(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
    until: DateTime<Utc>,
) -> Result<(), Error> {
    let data = TemporaryPremiumGranted {
        user_id: user_id.to_string(),
        subscription_type: SOUL.to_owned(),
        until: Some(Timestamp::from(until)),
    };
    append(tx, clock, user_id, &data).await
}

/// `user_id` is empty for an unknown address.
pub async fn password_reset_requested(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: Option<UserId>,
    lang: Option<&str>,
) -> Result<(), Error> {
    let user_id = user_id.map(|user_id| user_id.to_string()).unwrap_or_default();
    let data = PasswordResetRequested {
        user_id: user_id.clone(),
        lang: lang.unwrap_or_default().to_owned(),
    };
    let draft = NewEvent::new(user_id, &data)?.lang(lang.unwrap_or_default());
    outbox::append(tx, clock, draft).await?;
    Ok(())
}

pub async fn profile_updated(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
    changed: &[&str],
) -> Result<(), Error> {
    let data = ProfileUpdated {
        user_id: user_id.to_string(),
        changed_fields: changed.iter().map(|field| (*field).to_owned()).collect(),
    };
    append(tx, clock, user_id, &data).await
}

pub async fn role_granted(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
    role: Role,
) -> Result<(), Error> {
    let data = RoleGranted {
        user_id: user_id.to_string(),
        role: role.as_str().to_owned(),
    };
    append(tx, clock, user_id, &data).await
}

pub async fn role_revoked(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
    role: Role,
) -> Result<(), Error> {
    let data = RoleRevoked {
        user_id: user_id.to_string(),
        role: role.as_str().to_owned(),
    };
    append(tx, clock, user_id, &data).await
}

pub async fn second_factor_enabled(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
) -> Result<(), Error> {
    let data = SecondFactorEnabled {
        user_id: user_id.to_string(),
    };
    append(tx, clock, user_id, &data).await
}

pub async fn second_factor_disabled(
    tx: &mut PgConnection,
    clock: &Clock,
    user_id: UserId,
) -> Result<(), Error> {
    let data = SecondFactorDisabled {
        user_id: user_id.to_string(),
    };
    append(tx, clock, user_id, &data).await
}

pub async fn erasure_requested(tx: &mut PgConnection, clock: &Clock, job: ErasureJob) -> Result<(), Error> {
    let data = ErasureRequested {
        erasure_id: job.erasure_id,
        user_id: job.user_id,
        services: job.services,
    };
    // Keyed by the member, so it follows all their other events.
    append(tx, clock, &data.user_id, &data).await
}

pub async fn account_erased(tx: &mut PgConnection, clock: &Clock, id: ErasureId) -> Result<(), Error> {
    let data = AccountErased {
        erasure_id: id.to_string(),
    };
    append(tx, clock, id, &data).await
}

/// Appends `data` under the aggregate `key`.
async fn append(
    tx: &mut PgConnection,
    clock: &Clock,
    key: impl Display,
    data: &impl Event,
) -> Result<(), Error> {
    outbox::append(tx, clock, NewEvent::new(key, data)?).await?;
    Ok(())
}

pub fn method_of(registration: &Registration) -> &'static str {
    match registration.password {
        Some(_) => METHOD_FORM,
        None => METHOD_EMAIL_ONLY,
    }
}
