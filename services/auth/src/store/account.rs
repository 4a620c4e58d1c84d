//! Accounts.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::email::Email;
use crate::domain::user::{Entitlements, User, UserId};
use crate::error::Error;

pub struct NewAccount<'a> {
    pub user: &'a User,
    pub password_hash: Option<&'a str>,
    pub lang: Option<&'a str>,
    pub country: Option<&'a str>,
    pub created_at: DateTime<Utc>,
}

pub struct Account {
    pub user: User,
    pub password_hash: Option<String>,
}

#[derive(sqlx::FromRow)]
struct Row {
    user_id: UserId,
    full_name: String,
    email: String,
    password_hash: Option<String>,
    is_premium_user: bool,
    is_coaching_user: bool,
    is_therapy_user: bool,
}

impl From<Row> for Account {
    fn from(row: Row) -> Self {
        let user = User {
            id: row.user_id,
            full_name: row.full_name,
            email: Email::stored(row.email),
            entitlements: Entitlements {
                premium: row.is_premium_user,
                coaching: row.is_coaching_user,
                therapy: row.is_therapy_user,
            },
        };
        Self {
            user,
            password_hash: row.password_hash,
        }
    }
}

/// Locks the address until the transaction ends. Two requests therefore never meet at the unique index, whose violation
/// Postgres would log with the address.
pub async fn lock_email(tx: &mut PgConnection, email: &Email) -> Result<(), sqlx::Error> {
    sqlx::query("select pg_advisory_xact_lock(hashtextextended($1, 0))")
        .bind(email.as_str())
        .execute(tx)
        .await?;
    Ok(())
}

/// Both, in an order that all share.
pub async fn lock_emails(tx: &mut PgConnection, one: &Email, other: &Email) -> Result<(), sqlx::Error> {
    let mut emails = [one, other];
    emails.sort_unstable_by_key(|email| email.as_str());
    for email in emails {
        lock_email(tx, email).await?;
    }
    Ok(())
}

/// Whether another account has the address, or may still get it back.
pub async fn is_email_taken(
    tx: &mut PgConnection,
    email: &Email,
    user_id: UserId,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "select exists (select from account where email = $1 and user_id <> $2)
             or exists (select from account_link where former_email = $1 and user_id <> $2 and expires_at > $3)",
    )
    .bind(email.as_str())
    .bind(user_id)
    .bind(now)
    .fetch_one(tx)
    .await
}

pub async fn insert(tx: &mut PgConnection, new: &NewAccount<'_>) -> Result<(), Error> {
    lock_email(tx, &new.user.email).await?;
    let inserted = sqlx::query(
        "insert into account (user_id, full_name, email, password_hash, lang, country, created_at)
         select $1, $2, $3, $4, $5, $6, $7
         where not exists (select from account_link where former_email = $3 and expires_at > $7)
         on conflict on constraint account_email_key do nothing",
    )
    .bind(new.user.id)
    .bind(&new.user.full_name)
    .bind(new.user.email.as_str())
    .bind(new.password_hash)
    .bind(new.lang)
    .bind(new.country)
    .bind(new.created_at)
    .execute(tx)
    .await?;
    if inserted.rows_affected() == 0 {
        return Err(Error::EmailTaken);
    }
    Ok(())
}

pub async fn by_email(connection: &mut PgConnection, email: &Email) -> Result<Option<Account>, sqlx::Error> {
    let row: Option<Row> = sqlx::query_as(
        "select user_id, full_name, email, password_hash, is_premium_user, is_coaching_user, is_therapy_user
         from account where email = $1",
    )
    .bind(email.as_str())
    .fetch_optional(connection)
    .await?;
    Ok(row.map(Account::from))
}

pub async fn by_id(connection: &mut PgConnection, user_id: UserId) -> Result<Option<Account>, sqlx::Error> {
    let row: Option<Row> = sqlx::query_as(
        "select user_id, full_name, email, password_hash, is_premium_user, is_coaching_user, is_therapy_user
         from account where user_id = $1",
    )
    .bind(user_id)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(Account::from))
}

/// Leaves the row alone when the password was changed since `account` was read.
pub async fn replace_password_hash(
    tx: &mut PgConnection,
    account: &Account,
    password_hash: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query("update account set password_hash = $3 where user_id = $1 and password_hash = $2")
        .bind(account.user.id)
        .bind(&account.password_hash)
        .bind(password_hash)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn set_password_hash(
    tx: &mut PgConnection,
    user_id: UserId,
    password_hash: &str,
) -> Result<(), sqlx::Error> {
    sqlx::query("update account set password_hash = $2 where user_id = $1")
        .bind(user_id)
        .bind(password_hash)
        .execute(tx)
        .await?;
    Ok(())
}

/// The name; `password_hash` where there is a new one.
pub async fn update_profile(
    tx: &mut PgConnection,
    user: &User,
    password_hash: Option<&str>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update account set full_name = $2, password_hash = coalesce($3, password_hash) where user_id = $1",
    )
    .bind(user.id)
    .bind(&user.full_name)
    .bind(password_hash)
    .execute(tx)
    .await?;
    Ok(())
}

/// The address is unproven again. Call with both addresses locked and the new one free.
pub async fn set_email(tx: &mut PgConnection, user_id: UserId, email: &Email) -> Result<(), sqlx::Error> {
    sqlx::query("update account set email = $2, email_proven_at = null where user_id = $1")
        .bind(user_id)
        .bind(email.as_str())
        .execute(tx)
        .await?;
    Ok(())
}

/// Marks the account's present address as proven.
pub async fn prove_email(
    tx: &mut PgConnection,
    user_id: UserId,
    now: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query("update account set email_proven_at = $2 where user_id = $1 and email_proven_at is null")
        .bind(user_id)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

pub async fn is_email_proven(tx: &mut PgConnection, user_id: UserId) -> Result<bool, sqlx::Error> {
    sqlx::query_scalar(
        "select exists (select from account where user_id = $1 and email_proven_at is not null)",
    )
    .bind(user_id)
    .fetch_one(tx)
    .await
}

/// What was open stays open.
pub async fn open_entitlements(
    tx: &mut PgConnection,
    user_id: UserId,
    opened: Entitlements,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update account set is_coaching_user = is_coaching_user or $2, is_therapy_user = is_therapy_user or $3,
             is_premium_user = is_premium_user or $4
         where user_id = $1",
    )
    .bind(user_id)
    .bind(opened.coaching)
    .bind(opened.therapy)
    .bind(opened.premium)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn close_entitlements(
    tx: &mut PgConnection,
    user_id: UserId,
    closed: Entitlements,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update account set is_coaching_user = is_coaching_user and not $2,
             is_therapy_user = is_therapy_user and not $3, is_premium_user = is_premium_user and not $4
         where user_id = $1",
    )
    .bind(user_id)
    .bind(closed.coaching)
    .bind(closed.therapy)
    .bind(closed.premium)
    .execute(tx)
    .await?;
    Ok(())
}

/// With everything that hangs on it. Whose it was: the address and the language; `None` when it was gone before.
pub async fn delete(
    tx: &mut PgConnection,
    user_id: UserId,
) -> Result<Option<(Email, Option<String>)>, sqlx::Error> {
    let row: Option<(String, Option<String>)> =
        sqlx::query_as("delete from account where user_id = $1 returning email, lang")
            .bind(user_id)
            .fetch_optional(tx)
            .await?;
    Ok(row.map(|(email, lang)| (Email::stored(email), lang)))
}
