//! Sessions, found by the hash of their token.
use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::email::Email;
use crate::domain::session::SessionId;
use crate::domain::user::{Entitlements, User, UserId};

pub struct NewSession {
    pub id: SessionId,
    pub token_hash: [u8; 32],
    pub user_id: UserId,
    pub opened_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
}

pub struct LiveSession {
    pub id: SessionId,
    pub opened_at: DateTime<Utc>,
    pub expires_at: DateTime<Utc>,
    pub user: User,
}

#[derive(sqlx::FromRow)]
struct Row {
    session_id: SessionId,
    created_at: DateTime<Utc>,
    expires_at: DateTime<Utc>,
    user_id: UserId,
    full_name: String,
    email: String,
    is_coaching_user: bool,
    is_therapy_user: bool,
}

pub async fn insert(tx: &mut PgConnection, new: &NewSession) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into session (session_id, token_hash, user_id, created_at, expires_at)
         values ($1, $2, $3, $4, $5)",
    )
    .bind(new.id)
    .bind(new.token_hash.as_slice())
    .bind(new.user_id)
    .bind(new.opened_at)
    .bind(new.expires_at)
    .execute(tx)
    .await?;
    Ok(())
}

pub async fn live(
    connection: &mut PgConnection,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<LiveSession>, sqlx::Error> {
    let row: Option<Row> = sqlx::query_as(
        "select s.session_id, s.created_at, s.expires_at,
                a.user_id, a.full_name, a.email, a.is_coaching_user, a.is_therapy_user
         from session s join account a using (user_id)
         where s.token_hash = $1 and s.expires_at > $2",
    )
    .bind(token_hash.as_slice())
    .bind(now)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(LiveSession::from))
}

pub async fn extend(
    connection: &mut PgConnection,
    id: SessionId,
    expires_at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    // Two uses at once may arrive in either order; the later end stays.
    sqlx::query("update session set expires_at = $2 where session_id = $1 and expires_at < $2")
        .bind(id)
        .bind(expires_at)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn delete(connection: &mut PgConnection, token_hash: &[u8; 32]) -> Result<(), sqlx::Error> {
    sqlx::query("delete from session where token_hash = $1")
        .bind(token_hash.as_slice())
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn delete_expired(
    connection: &mut PgConnection,
    now: DateTime<Utc>,
    at_most: i64,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query(
        "delete from session where session_id in
         (select session_id from session where expires_at <= $1 order by expires_at limit $2 for update skip locked)",
    )
    .bind(now)
    .bind(at_most)
    .execute(connection)
    .await?;
    Ok(deleted.rows_affected())
}

impl From<Row> for LiveSession {
    fn from(row: Row) -> Self {
        let user = User {
            id: row.user_id,
            full_name: row.full_name,
            email: Email::stored(row.email),
            entitlements: Entitlements {
                coaching: row.is_coaching_user,
                therapy: row.is_therapy_user,
            },
        };
        Self {
            id: row.session_id,
            opened_at: row.created_at,
            expires_at: row.expires_at,
            user,
        }
    }
}
