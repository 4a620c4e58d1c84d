//! Published records.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::{CurrentSnapshot, Locale, PublishedRecord, RecordKey, SnapshotId, ValidatedRecord};
use crate::error::Error;

#[derive(sqlx::FromRow)]
struct Row {
    locale: String,
    snapshot_id: SnapshotId,
    document: String,
}

impl From<Row> for PublishedRecord {
    fn from(row: Row) -> Self {
        Self {
            content_locale: row.locale,
            snapshot_id: row.snapshot_id,
            document: row.document,
        }
    }
}

/// The record in its locale, else in the default one.
pub async fn find(
    connection: &mut PgConnection,
    key: &RecordKey,
    locale: Locale,
) -> Result<Option<PublishedRecord>, Error> {
    let row: Option<Row> = sqlx::query_as(
        "select record.locale, record.snapshot_id, snapshot.document
         from record join snapshot on snapshot.id = record.snapshot_id
         where record.kind = $1 and record.id = $2 and record.locale in ($3, $4)
         order by record.locale = $3 desc
         limit 1",
    )
    .bind(key.kind.name())
    .bind(key.id.as_str())
    .bind(locale.code())
    .bind(Locale::default().code())
    .fetch_optional(connection)
    .await?;
    Ok(row.map(PublishedRecord::from))
}

/// All records of a category in the locale, else in the default one; by id.
pub async fn of_category(
    connection: &mut PgConnection,
    category: i32,
    locale: Locale,
) -> Result<Vec<PublishedRecord>, Error> {
    let rows: Vec<Row> = sqlx::query_as(
        "select record.locale, record.snapshot_id, snapshot.document
         from record join snapshot on snapshot.id = record.snapshot_id
         where record.category = $1
           and record.locale = case when exists (select from record where category = $1 and locale = $2)
                                    then $2 else $3 end
         order by record.kind, record.id",
    )
    .bind(category)
    .bind(locale.code())
    .bind(Locale::default().code())
    .fetch_all(connection)
    .await?;
    Ok(rows.into_iter().map(PublishedRecord::from).collect())
}

pub async fn current(
    connection: &mut PgConnection,
    key: &RecordKey,
    locale: Locale,
) -> Result<Option<CurrentSnapshot>, Error> {
    let row: Option<(SnapshotId, Vec<u8>)> = sqlx::query_as(
        "select snapshot_id, content_hash from record where kind = $1 and id = $2 and locale = $3",
    )
    .bind(key.kind.name())
    .bind(key.id.as_str())
    .bind(locale.code())
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|(snapshot_id, content_hash)| CurrentSnapshot {
        snapshot_id,
        content_hash,
    }))
}

pub async fn point_at(
    connection: &mut PgConnection,
    record: &ValidatedRecord,
    snapshot: SnapshotId,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query(
        "insert into record (kind, id, locale, snapshot_id, content_hash, category, published_at)
         values ($1, $2, $3, $4, $5, $6, $7)
         on conflict (kind, id, locale) do update
         set snapshot_id = excluded.snapshot_id, content_hash = excluded.content_hash,
             category = excluded.category, published_at = excluded.published_at",
    )
    .bind(record.key.kind.name())
    .bind(record.key.id.as_str())
    .bind(record.locale.code())
    .bind(snapshot)
    .bind(record.content_hash.as_bytes())
    .bind(record.category)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// False when there was none.
pub async fn remove(connection: &mut PgConnection, key: &RecordKey, locale: Locale) -> Result<bool, Error> {
    let done = sqlx::query("delete from record where kind = $1 and id = $2 and locale = $3")
        .bind(key.kind.name())
        .bind(key.id.as_str())
        .bind(locale.code())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}
