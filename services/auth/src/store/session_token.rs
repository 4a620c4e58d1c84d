//! Secondary tokens of a session: the next one and retired ones.
use chrono::{DateTime, Utc};
use kit::database::delete_in_batches;
use sqlx::PgConnection;

use crate::domain::session::SessionId;
use crate::domain::user::UserId;

#[derive(sqlx::FromRow)]
pub struct SecondaryToken {
    pub session_id: SessionId,
    pub user_id: UserId,
    /// `None`: given out and not used so far.
    pub retired_at: Option<DateTime<Utc>>,
}

pub async fn find(
    connection: &mut PgConnection,
    token_hash: &[u8; 32],
) -> Result<Option<SecondaryToken>, sqlx::Error> {
    sqlx::query_as(
        "select session_id, s.user_id, t.retired_at
         from session_token t join session s using (session_id) where t.token_hash = $1",
    )
    .bind(token_hash.as_slice())
    .fetch_optional(connection)
    .await
}

/// The one successor a session has.
pub async fn offer(
    tx: &mut PgConnection,
    session_id: SessionId,
    token_hash: &[u8; 32],
) -> Result<(), sqlx::Error> {
    sqlx::query("delete from session_token where session_id = $1 and retired_at is null")
        .bind(session_id)
        .execute(&mut *tx)
        .await?;
    sqlx::query("insert into session_token (token_hash, session_id) values ($1, $2)")
        .bind(token_hash.as_slice())
        .bind(session_id)
        .execute(tx)
        .await?;
    Ok(())
}

/// The successor becomes the session's own token, and that one retires. `false`: another call did it first.
pub async fn promote(
    tx: &mut PgConnection,
    session_id: SessionId,
    token_hash: &[u8; 32],
    now: DateTime<Utc>,
) -> Result<bool, sqlx::Error> {
    let taken = sqlx::query("delete from session_token where token_hash = $1 and retired_at is null")
        .bind(token_hash.as_slice())
        .execute(&mut *tx)
        .await?;
    if taken.rows_affected() == 0 {
        return Ok(false);
    }
    sqlx::query(
        "insert into session_token (token_hash, session_id, retired_at)
         select token_hash, session_id, $2 from session where session_id = $1",
    )
    .bind(session_id)
    .bind(now)
    .execute(&mut *tx)
    .await?;
    sqlx::query("update session set token_hash = $2 where session_id = $1")
        .bind(session_id)
        .bind(token_hash.as_slice())
        .execute(tx)
        .await?;
    Ok(true)
}

pub async fn delete_retired_before(
    connection: &mut PgConnection,
    before: DateTime<Utc>,
    batch: i64,
) -> Result<(), sqlx::Error> {
    delete_in_batches(
        connection,
        "delete from session_token where token_hash in
         (select token_hash from session_token where retired_at <= $1
          order by retired_at limit $2 for update skip locked)",
        before,
        batch,
    )
    .await
}
