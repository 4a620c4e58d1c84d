//! Sessions, found by the hash of their token.
use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;

use crate::domain::device::Device;
use crate::domain::email::Email;
use crate::domain::session::SessionId;
use crate::domain::session::step_up::Authentication;
use crate::domain::user::role::Role;
use crate::domain::user::{Entitlements, User, UserId};

pub struct NewSession<'a> {
    pub id: SessionId,
    pub token_hash: [u8; 32],
    pub user_id: UserId,
    pub device: &'a Device,
    pub opened_at: DateTime<Utc>,
    /// When the member authenticated, if it was to open this session.
    pub authenticated_at: Option<DateTime<Utc>>,
    /// When the second factor verified the sign-in.
    pub second_factor_at: Option<DateTime<Utc>>,
    pub expires_at: DateTime<Utc>,
}

pub struct LiveSession {
    pub id: SessionId,
    pub opened_at: DateTime<Utc>,
    pub authentication: Authentication,
    /// All that the account has.
    pub roles: Vec<Role>,
    pub expires_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
    pub rotated_at: DateTime<Utc>,
    pub user: User,
}

/// A line of the list of devices.
#[derive(sqlx::FromRow)]
pub struct SessionSummary {
    pub session_id: SessionId,
    pub browser: String,
    pub system: String,
    pub created_at: DateTime<Utc>,
    pub last_seen_at: DateTime<Utc>,
}

#[expect(clippy::struct_excessive_bools, reason = "one column each")]
#[derive(sqlx::FromRow)]
struct Row {
    session_id: SessionId,
    created_at: DateTime<Utc>,
    authenticated_at: Option<DateTime<Utc>>,
    second_factor_at: Option<DateTime<Utc>>,
    has_password: bool,
    has_second_factor: bool,
    roles: Vec<String>,
    expires_at: DateTime<Utc>,
    last_seen_at: DateTime<Utc>,
    rotated_at: DateTime<Utc>,
    user_id: UserId,
    full_name: String,
    email: String,
    is_premium_user: bool,
    is_coaching_user: bool,
    is_therapy_user: bool,
}

pub async fn insert(tx: &mut PgConnection, new: &NewSession<'_>) -> Result<(), sqlx::Error> {
    sqlx::query(
        "insert into session (session_id, token_hash, user_id, created_at, expires_at, browser, system, authenticated_at,
             second_factor_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)",
    )
    .bind(new.id)
    .bind(new.token_hash.as_slice())
    .bind(new.user_id)
    .bind(new.opened_at)
    .bind(new.expires_at)
    .bind(&new.device.browser)
    .bind(&new.device.system)
    .bind(new.authenticated_at)
    .bind(new.second_factor_at)
    .execute(tx)
    .await?;
    Ok(())
}

macro_rules! live_where {
    ($condition:literal) => {
        concat!(
            "select s.session_id, s.created_at, s.authenticated_at, s.second_factor_at, s.expires_at,
        coalesce(s.last_seen_at, s.created_at) as last_seen_at, coalesce(s.rotated_at, s.created_at) as rotated_at,
        a.user_id, a.full_name, a.email, a.is_premium_user, a.is_coaching_user, a.is_therapy_user,
        a.password_hash is not null as has_password,
        exists (select from second_factor f where f.user_id = a.user_id and f.enabled_at is not null) as has_second_factor,
        array(select r.role from account_role r where r.user_id = a.user_id order by r.role) as roles
 from session s join account a using (user_id)
 where s.expires_at > $2 and ",
            $condition
        )
    };
}

pub async fn live(
    connection: &mut PgConnection,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<Option<LiveSession>, sqlx::Error> {
    let row: Option<Row> = sqlx::query_as(live_where!("s.token_hash = $1"))
        .bind(token_hash.as_slice())
        .bind(now)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(LiveSession::from))
}

pub async fn live_by_id(
    connection: &mut PgConnection,
    id: SessionId,
    now: DateTime<Utc>,
) -> Result<Option<LiveSession>, sqlx::Error> {
    let row: Option<Row> = sqlx::query_as(live_where!("s.session_id = $1"))
        .bind(id)
        .bind(now)
        .fetch_optional(connection)
        .await?;
    Ok(row.map(LiveSession::from))
}

pub async fn of_user(
    connection: &mut PgConnection,
    user_id: UserId,
    now: DateTime<Utc>,
) -> Result<Vec<SessionSummary>, sqlx::Error> {
    sqlx::query_as(
        "select session_id, browser, system, created_at, coalesce(last_seen_at, created_at) as last_seen_at
         from session where user_id = $1 and expires_at > $2
         order by coalesce(last_seen_at, created_at) desc, session_id desc limit 100",
    )
    .bind(user_id)
    .bind(now)
    .fetch_all(connection)
    .await
}

/// Two uses at once may arrive in either order; the later end stays.
pub async fn touch(
    connection: &mut PgConnection,
    id: SessionId,
    now: DateTime<Utc>,
    expires_at: DateTime<Utc>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update session set expires_at = greatest(expires_at, $3), last_seen_at = greatest(last_seen_at, $2)
         where session_id = $1",
    )
    .bind(id)
    .bind(now)
    .bind(expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// The member has authenticated again. `second_factor_at` is set if the second factor was part of it.
pub async fn renew_authentication(
    tx: &mut PgConnection,
    id: SessionId,
    now: DateTime<Utc>,
    second_factor_at: Option<DateTime<Utc>>,
) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update session set authenticated_at = $2, second_factor_at = coalesce($3, second_factor_at)
         where session_id = $1",
    )
    .bind(id)
    .bind(now)
    .bind(second_factor_at)
    .execute(tx)
    .await?;
    Ok(())
}

/// A code of the second factor was entered in this session.
pub async fn verify(tx: &mut PgConnection, id: SessionId, now: DateTime<Utc>) -> Result<(), sqlx::Error> {
    sqlx::query("update session set second_factor_at = $2 where session_id = $1")
        .bind(id)
        .bind(now)
        .execute(tx)
        .await?;
    Ok(())
}

/// No session of the user is verified any more.
pub async fn clear_verifications(tx: &mut PgConnection, user_id: UserId) -> Result<(), sqlx::Error> {
    sqlx::query("update session set second_factor_at = null where user_id = $1")
        .bind(user_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// Of calls made at once, one is to give out the next token.
pub async fn claim_rotation(
    tx: &mut PgConnection,
    live: &LiveSession,
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let claimed = sqlx::query(
        "update session set rotated_at = $3 where session_id = $1 and coalesce(rotated_at, created_at) = $2",
    )
    .bind(live.id)
    .bind(live.rotated_at)
    .bind(now)
    .execute(tx)
    .await?;
    Ok(claimed.rows_affected() == 1)
}

/// Whichever of its tokens it is named by.
pub async fn delete(connection: &mut PgConnection, token_hash: &[u8; 32]) -> Result<(), sqlx::Error> {
    sqlx::query(
        "delete from session where token_hash = $1
         or session_id = (select session_id from session_token where token_hash = $1)",
    )
    .bind(token_hash.as_slice())
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn delete_one(
    connection: &mut PgConnection,
    user_id: UserId,
    id: SessionId,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query("delete from session where session_id = $2 and user_id = $1")
        .bind(user_id)
        .bind(id)
        .execute(connection)
        .await?;
    Ok(deleted.rows_affected())
}

/// All sessions of a user except `but`.
pub async fn delete_all(
    connection: &mut PgConnection,
    user_id: UserId,
    but: Option<SessionId>,
) -> Result<u64, sqlx::Error> {
    let deleted = sqlx::query("delete from session where user_id = $1 and session_id is distinct from $2")
        .bind(user_id)
        .bind(but)
        .execute(connection)
        .await?;
    Ok(deleted.rows_affected())
}

pub async fn delete_expired(
    connection: &mut PgConnection,
    now: DateTime<Utc>,
    batch: i64,
) -> Result<(), sqlx::Error> {
    delete_in_batches(
        connection,
        "delete from session where session_id in
         (select session_id from session where expires_at <= $1 order by expires_at limit $2 for update skip locked)",
        now,
        batch,
    )
    .await
}

impl From<Row> for LiveSession {
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
            id: row.session_id,
            opened_at: row.created_at,
            authentication: Authentication {
                authenticated_at: row.authenticated_at,
                second_factor_at: row.second_factor_at,
                has_password: row.has_password,
                has_second_factor: row.has_second_factor,
            },
            // A role of a newer version grants nothing here.
            roles: row.roles.iter().filter_map(|role| role.parse().ok()).collect(),
            expires_at: row.expires_at,
            last_seen_at: row.last_seen_at,
            rotated_at: row.rotated_at,
            user,
        }
    }
}
