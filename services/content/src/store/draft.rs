//! Drafts and their revisions.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::content_key;
use crate::domain::{ContentKey, DraftFilter, DraftState, DraftSummary, Locale, SnapshotId};
use crate::error::Error;

/// Number of retained revisions.
const REVISIONS_KEPT: i64 = 100;

#[derive(sqlx::FromRow)]
struct Row {
    revision: i64,
    body: Option<String>,
    base_snapshot_id: Option<SnapshotId>,
    saved_at: DateTime<Utc>,
}

pub async fn find(connection: &mut PgConnection, content_key: &ContentKey) -> Result<DraftState, Error> {
    let row: Option<Row> = sqlx::query_as(
        "select revision, body, base_snapshot_id, saved_at from draft where item = $1 and locale = $2",
    )
    .bind(content_key.item.stored())
    .bind(content_key.locale.code())
    .fetch_optional(connection)
    .await?;
    let state = row.map(|row| DraftState {
        revision: row.revision,
        body: row.body,
        base: row.base_snapshot_id,
        saved_at: Some(row.saved_at),
    });
    Ok(state.unwrap_or(DraftState::NEVER_SAVED))
}

/// The next state of an item. `body` is what is remembered of the revision: of a published draft that too.
pub async fn put(
    connection: &mut PgConnection,
    content_key: &ContentKey,
    next: &DraftState,
    body: Option<&str>,
) -> Result<(), Error> {
    let (item, locale) = (content_key.item.stored(), content_key.locale.code());
    sqlx::query(
        "insert into draft (item, locale, revision, body, base_snapshot_id, saved_at)
         values ($1, $2, $3, $4, $5, $6)
         on conflict (item, locale) do update
         set revision = excluded.revision, body = excluded.body, base_snapshot_id = excluded.base_snapshot_id,
             saved_at = excluded.saved_at",
    )
    .bind(&item)
    .bind(locale)
    .bind(next.revision)
    .bind(&next.body)
    .bind(next.base)
    .bind(next.saved_at)
    .execute(&mut *connection)
    .await?;
    sqlx::query("insert into draft_revision (item, locale, revision, body) values ($1, $2, $3, $4)")
        .bind(&item)
        .bind(locale)
        .bind(next.revision)
        .bind(body)
        .execute(&mut *connection)
        .await?;
    sqlx::query("delete from draft_revision where item = $1 and locale = $2 and revision <= $3")
        .bind(&item)
        .bind(locale)
        .bind(next.revision - REVISIONS_KEPT)
        .execute(connection)
        .await?;
    Ok(())
}

/// What an editor of that revision had before them; `None` when it is no longer known.
pub async fn body_at(
    connection: &mut PgConnection,
    content_key: &ContentKey,
    revision: i64,
) -> Result<Option<String>, Error> {
    let body: Option<Option<String>> = sqlx::query_scalar(
        "select body from draft_revision where item = $1 and locale = $2 and revision = $3",
    )
    .bind(content_key.item.stored())
    .bind(content_key.locale.code())
    .bind(revision)
    .fetch_optional(connection)
    .await?;
    Ok(body.flatten())
}

/// The open drafts by item, from where the last list ended.
pub async fn list(connection: &mut PgConnection, filter: &DraftFilter) -> Result<Vec<DraftSummary>, Error> {
    let rows: Vec<(String, String, i64, DateTime<Utc>)> = sqlx::query_as(
        "select item, locale, revision, saved_at from draft
         where body is not null and (item, locale) > ($1, $2) and ($3::text is null or locale = $3)
         order by item, locale
         limit $4",
    )
    .bind(&filter.after.name)
    .bind(&filter.after.locale)
    .bind(filter.locale.map(Locale::code))
    .bind(i64::try_from(filter.limit).unwrap_or(i64::MAX))
    .fetch_all(connection)
    .await?;
    let summary = |(item, locale, revision, saved_at): (String, String, i64, DateTime<Utc>)| {
        Ok(DraftSummary {
            content_key: content_key::read("draft", &item, &locale)?,
            revision,
            saved_at,
        })
    };
    rows.into_iter().map(summary).collect()
}
