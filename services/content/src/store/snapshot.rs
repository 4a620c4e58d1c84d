//! Immutable snapshots, numbered within their item.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::{ContentKey, SnapshotId, block_types};
use crate::error::Error;

pub struct NewSnapshot<'a> {
    pub id: SnapshotId,
    pub content_key: &'a ContentKey,
    pub document: &'a str,
    pub created_at: DateTime<Utc>,
}

#[derive(Clone, Debug, sqlx::FromRow)]
pub struct VersionRow {
    pub version: i32,
    pub id: SnapshotId,
    pub created_at: DateTime<Utc>,
}

/// Under the item's lock: else two could take the same number, and one would be refused.
pub async fn insert(connection: &mut PgConnection, snapshot: NewSnapshot<'_>) -> Result<(), Error> {
    sqlx::query(
        "insert into snapshot (id, item, locale, document, block_types, created_at, version)
         values ($1, $2, $3, $4, $5, $6,
                 (select coalesce(max(version), 0) + 1 from snapshot where item = $2 and locale = $3))",
    )
    .bind(snapshot.id)
    .bind(snapshot.content_key.item.stored())
    .bind(snapshot.content_key.locale.code())
    .bind(snapshot.document)
    .bind(block_types())
    .bind(snapshot.created_at)
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn document(connection: &mut PgConnection, id: SnapshotId) -> Result<Option<String>, Error> {
    let document = sqlx::query_scalar("select document from snapshot where id = $1")
        .bind(id)
        .fetch_optional(connection)
        .await?;
    Ok(document)
}

/// The document of the last version.
pub async fn newest(
    connection: &mut PgConnection,
    content_key: &ContentKey,
) -> Result<Option<String>, Error> {
    let document = sqlx::query_scalar(
        "select document from snapshot where item = $1 and locale = $2 order by version desc limit 1",
    )
    .bind(content_key.item.stored())
    .bind(content_key.locale.code())
    .fetch_optional(connection)
    .await?;
    Ok(document)
}

/// Newest first; only those before `before`.
pub async fn versions(
    connection: &mut PgConnection,
    content_key: &ContentKey,
    before: i32,
    limit: i64,
) -> Result<Vec<VersionRow>, Error> {
    let rows = sqlx::query_as(
        "select version, id, created_at from snapshot
         where item = $1 and locale = $2 and version < $3
         order by version desc
         limit $4",
    )
    .bind(content_key.item.stored())
    .bind(content_key.locale.code())
    .bind(before)
    .bind(limit)
    .fetch_all(connection)
    .await?;
    Ok(rows)
}

/// One version with its document.
pub async fn version(
    connection: &mut PgConnection,
    content_key: &ContentKey,
    number: i32,
) -> Result<Option<(VersionRow, String)>, Error> {
    let row: Option<(i32, SnapshotId, DateTime<Utc>, String)> = sqlx::query_as(
        "select version, id, created_at, document from snapshot
         where item = $1 and locale = $2 and version = $3",
    )
    .bind(content_key.item.stored())
    .bind(content_key.locale.code())
    .bind(number)
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(version, id, created_at, document)| {
        let row = VersionRow {
            version,
            id,
            created_at,
        };
        (row, document)
    }))
}
