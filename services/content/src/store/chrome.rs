//! Which navigation and footer readers see.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::{Locale, PublishedChrome, ReadyChrome, SnapshotId};
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

/// Whether readers see this content already.
pub async fn is_same(connection: &mut PgConnection, chrome: &ReadyChrome) -> Result<bool, Error> {
    let same =
        sqlx::query_scalar("select exists(select from chrome where locale = $1 and content_hash = $2)")
            .bind(chrome.locale.code())
            .bind(chrome.content_hash.as_bytes())
            .fetch_one(connection)
            .await?;
    Ok(same)
}

/// Points readers at a snapshot. False when another publisher has put the same content there meanwhile.
pub async fn point_at(
    connection: &mut PgConnection,
    chrome: &ReadyChrome,
    snapshot: SnapshotId,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "insert into chrome (locale, snapshot_id, content_hash, published_at)
         values ($1, $2, $3, $4)
         on conflict (locale) do update
         set snapshot_id = excluded.snapshot_id, content_hash = excluded.content_hash,
             published_at = excluded.published_at
         where chrome.content_hash <> excluded.content_hash",
    )
    .bind(chrome.locale.code())
    .bind(snapshot)
    .bind(chrome.content_hash.as_bytes())
    .bind(now)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}
