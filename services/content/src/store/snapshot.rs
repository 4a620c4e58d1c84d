//! Snapshots: written once, read with their page.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::{Locale, SnapshotId, UrlPath};
use crate::error::Error;

pub struct NewSnapshot<'a> {
    pub id: SnapshotId,
    pub locale: Locale,
    /// `None` for the chrome of a locale.
    pub url_path: Option<&'a UrlPath>,
    pub document: &'a str,
    pub created_at: DateTime<Utc>,
}

pub async fn insert(connection: &mut PgConnection, snapshot: NewSnapshot<'_>) -> Result<(), Error> {
    sqlx::query(
        "insert into snapshot (id, locale, url_path, document, created_at) values ($1, $2, $3, $4, $5)",
    )
    .bind(snapshot.id)
    .bind(snapshot.locale.code())
    .bind(snapshot.url_path.map(UrlPath::as_str))
    .bind(snapshot.document)
    .bind(snapshot.created_at)
    .execute(connection)
    .await?;
    Ok(())
}
