//! Published navigation and footer.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::{CurrentSnapshot, Locale, PublishedChrome, SnapshotId, ValidatedChrome};
use crate::error::Error;

/// The chrome of a locale, else of the default one.
pub async fn find(connection: &mut PgConnection, locale: Locale) -> Result<Option<PublishedChrome>, Error> {
    let row: Option<(SnapshotId, String)> = sqlx::query_as(
        "select chrome.snapshot_id, snapshot.document
         from chrome join snapshot on snapshot.id = chrome.snapshot_id
         where chrome.locale in ($1, $2)
         order by chrome.locale = $1 desc
         limit 1",
    )
    .bind(locale.code())
    .bind(Locale::default().code())
    .fetch_optional(connection)
    .await?;
    row.map(|(id, document)| read(id, &document)).transpose()
}

fn read(id: SnapshotId, document: &str) -> Result<PublishedChrome, Error> {
    let document = serde_json::from_str(document).map_err(|error| Error::BrokenRow {
        table: "snapshot",
        id: id.to_string(),
        reason: format!("column document: {error}"),
    })?;
    Ok(PublishedChrome { document })
}

pub async fn current(
    connection: &mut PgConnection,
    locale: Locale,
) -> Result<Option<CurrentSnapshot>, Error> {
    let row: Option<(SnapshotId, Vec<u8>)> =
        sqlx::query_as("select snapshot_id, content_hash from chrome where locale = $1")
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
    chrome: &ValidatedChrome,
    snapshot: SnapshotId,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query(
        "insert into chrome (locale, snapshot_id, content_hash, published_at)
         values ($1, $2, $3, $4)
         on conflict (locale) do update
         set snapshot_id = excluded.snapshot_id, content_hash = excluded.content_hash,
             published_at = excluded.published_at",
    )
    .bind(chrome.locale.code())
    .bind(snapshot)
    .bind(chrome.content_hash.as_bytes())
    .bind(now)
    .execute(connection)
    .await?;
    Ok(())
}

/// False when there was none.
pub async fn remove(connection: &mut PgConnection, locale: Locale) -> Result<bool, Error> {
    let done = sqlx::query("delete from chrome where locale = $1")
        .bind(locale.code())
        .execute(connection)
        .await?;
    Ok(done.rows_affected() == 1)
}
