//! Preview links.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::content_key;
use crate::domain::{Preview, PreviewId};
use crate::error::Error;

pub async fn insert(
    connection: &mut PgConnection,
    preview: &Preview,
    token_hash: &[u8],
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query(
        "insert into preview (id, token_hash, item, locale, created_at, expires_at)
         values ($1, $2, $3, $4, $5, $6)",
    )
    .bind(preview.id)
    .bind(token_hash)
    .bind(preview.content_key.item.stored())
    .bind(preview.content_key.locale.code())
    .bind(now)
    .bind(preview.expires_at)
    .execute(connection)
    .await?;
    Ok(())
}

/// `None` also when it has expired.
pub async fn find(
    connection: &mut PgConnection,
    token_hash: &[u8],
    now: DateTime<Utc>,
) -> Result<Option<Preview>, Error> {
    let row: Option<(PreviewId, String, String, DateTime<Utc>)> = sqlx::query_as(
        "select id, item, locale, expires_at from preview where token_hash = $1 and expires_at > $2",
    )
    .bind(token_hash)
    .bind(now)
    .fetch_optional(connection)
    .await?;
    let Some((id, item, locale, expires_at)) = row else {
        return Ok(None);
    };
    Ok(Some(Preview {
        id,
        content_key: content_key::read("preview", &item, &locale)?,
        expires_at,
    }))
}

pub async fn delete(connection: &mut PgConnection, id: PreviewId) -> Result<(), Error> {
    sqlx::query("delete from preview where id = $1")
        .bind(id)
        .execute(connection)
        .await?;
    Ok(())
}

pub async fn delete_expired(connection: &mut PgConnection, now: DateTime<Utc>) -> Result<u64, Error> {
    let done = sqlx::query("delete from preview where expires_at <= $1")
        .bind(now)
        .execute(connection)
        .await?;
    Ok(done.rows_affected())
}
