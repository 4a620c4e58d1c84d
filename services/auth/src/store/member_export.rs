//! Rows of the member export.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::session::SessionId;
use crate::domain::user::UserId;

#[expect(clippy::struct_excessive_bools, reason = "one column each")]
#[derive(sqlx::FromRow)]
pub struct AccountRow {
    pub full_name: String,
    pub email: String,
    pub lang: Option<String>,
    pub country: Option<String>,
    pub has_password: bool,
    pub is_premium_user: bool,
    pub is_coaching_user: bool,
    pub is_therapy_user: bool,
    pub email_proven_at: Option<DateTime<Utc>>,
    pub created_at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
pub struct SessionRow {
    pub session_id: SessionId,
    pub browser: String,
    pub system: String,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: Option<DateTime<Utc>>,
    pub expires_at: DateTime<Utc>,
    pub authenticated_at: Option<DateTime<Utc>>,
    pub second_factor_at: Option<DateTime<Utc>>,
}

#[derive(sqlx::FromRow)]
pub struct IdentityRow {
    pub provider: String,
    pub subject: String,
    /// `None`: it waits to be joined.
    pub created_at: Option<DateTime<Utc>>,
}

#[derive(sqlx::FromRow)]
pub struct MailRow {
    pub template: String,
    pub lang: String,
    pub former_email: Option<String>,
    pub created_at: DateTime<Utc>,
}

#[derive(sqlx::FromRow)]
pub struct HandoffRow {
    pub purpose: String,
    pub expires_at: DateTime<Utc>,
    pub used_at: Option<DateTime<Utc>>,
}

#[derive(sqlx::FromRow)]
pub struct PremiumRow {
    pub paid_at: Option<DateTime<Utc>>,
    pub requested_at: Option<DateTime<Utc>>,
    pub granted_at: Option<DateTime<Utc>>,
    pub premium_until: Option<DateTime<Utc>>,
}

#[derive(sqlx::FromRow)]
pub struct AddressChangeRow {
    pub new_email: Option<String>,
    pub former_email: Option<String>,
    pub expires_at: DateTime<Utc>,
}

pub async fn address_changes(
    connection: &mut PgConnection,
    user_id: UserId,
) -> Result<Vec<AddressChangeRow>, sqlx::Error> {
    sqlx::query_as(
        "select new_email, former_email, expires_at from account_link
         where user_id = $1 and (new_email is not null or former_email is not null) order by expires_at, link_id",
    )
    .bind(user_id)
    .fetch_all(connection)
    .await
}

pub async fn account(
    connection: &mut PgConnection,
    user_id: UserId,
) -> Result<Option<AccountRow>, sqlx::Error> {
    sqlx::query_as(
        "select full_name, email, lang, country, password_hash is not null as has_password, is_premium_user,
             is_coaching_user, is_therapy_user, email_proven_at, created_at
         from account where user_id = $1",
    )
    .bind(user_id)
    .fetch_optional(connection)
    .await
}

pub async fn sessions(
    connection: &mut PgConnection,
    user_id: UserId,
) -> Result<Vec<SessionRow>, sqlx::Error> {
    sqlx::query_as(
        "select session_id, browser, system, created_at, last_seen_at, expires_at, authenticated_at, second_factor_at
         from session where user_id = $1 order by created_at, session_id",
    )
    .bind(user_id)
    .fetch_all(connection)
    .await
}

pub async fn identities(
    connection: &mut PgConnection,
    user_id: UserId,
) -> Result<Vec<IdentityRow>, sqlx::Error> {
    sqlx::query_as(
        "select provider, subject, created_at from identity where user_id = $1
         union all select provider, subject, null from pending_identity where user_id = $1
         order by provider, subject",
    )
    .bind(user_id)
    .fetch_all(connection)
    .await
}

pub async fn mails(connection: &mut PgConnection, user_id: UserId) -> Result<Vec<MailRow>, sqlx::Error> {
    sqlx::query_as(
        "select template, lang, former_email, created_at from mail_outbox where user_id = $1
         order by created_at, mail_id",
    )
    .bind(user_id)
    .fetch_all(connection)
    .await
}

pub async fn handoffs(
    connection: &mut PgConnection,
    user_id: UserId,
) -> Result<Vec<HandoffRow>, sqlx::Error> {
    sqlx::query_as(
        "select purpose, expires_at, used_at from handoff_token where user_id = $1 order by expires_at",
    )
    .bind(user_id)
    .fetch_all(connection)
    .await
}

pub async fn temporary_premium(
    connection: &mut PgConnection,
    user_id: UserId,
) -> Result<Option<PremiumRow>, sqlx::Error> {
    sqlx::query_as(
        "select paid_at, requested_at, granted_at, premium_until from temporary_premium where user_id = $1",
    )
    .bind(user_id)
    .fetch_optional(connection)
    .await
}
