//! Which snapshot of a page readers see.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::page_locales;
use crate::domain::{
    Current, ListFilter, Locale, PageSummary, PublishedPage, ReadyPage, SnapshotId, UrlPath, block_types,
};
use crate::error::Error;

#[derive(sqlx::FromRow)]
struct SummaryRow {
    url_path: String,
    locale: String,
    page_type: String,
    template: String,
    noindex: bool,
    published_at: DateTime<Utc>,
}

impl From<SummaryRow> for PageSummary {
    fn from(row: SummaryRow) -> Self {
        Self {
            url_path: row.url_path,
            locale: row.locale,
            page_type: row.page_type,
            template: row.template,
            noindex: row.noindex,
            published_at: row.published_at,
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    content_locale: String,
    snapshot_id: SnapshotId,
    template: String,
    page_type: String,
    content_hash: Vec<u8>,
    up_to_date: bool,
    document: String,
    published_at: DateTime<Utc>,
    available_locales: Vec<String>,
}

/// A page as it is stored, with what tells whether it needs a second look.
pub struct StoredPage {
    pub page: PublishedPage,
    pub snapshot_id: SnapshotId,
    pub content_hash: Vec<u8>,
    /// Written with the block types of today.
    pub up_to_date: bool,
}

/// The page in its locale, else in the default one; with every locale that has it. One statement: it is on every
/// reader's way.
pub async fn find(
    connection: &mut PgConnection,
    url_path: UrlPath,
    locale: Locale,
) -> Result<Option<StoredPage>, Error> {
    let row: Option<Row> = sqlx::query_as(
        "select page.locale as content_locale, page.snapshot_id, page.template, page.page_type, page.content_hash,
                snapshot.block_types = $4 as up_to_date, snapshot.document, page.published_at,
                page_locales.locales as available_locales
         from page_locales
              join page on page.url_path = page_locales.url_path
                       and page.locale = case when $2 = any(page_locales.locales) then $2 else $3 end
              join snapshot on snapshot.id = page.snapshot_id
         where page_locales.url_path = $1",
    )
    .bind(url_path.as_str())
    .bind(locale.code())
    .bind(Locale::default().code())
    .bind(block_types())
    .fetch_optional(connection)
    .await?;
    Ok(row.map(|row| read(row, &url_path, locale)))
}

fn read(row: Row, url_path: &UrlPath, locale: Locale) -> StoredPage {
    StoredPage {
        page: PublishedPage {
            url_path: url_path.to_string(),
            locale,
            content_locale: row.content_locale,
            template: row.template,
            page_type: row.page_type,
            snapshot_id: Some(row.snapshot_id),
            document: row.document,
            published_at: Some(row.published_at),
            available_locales: row.available_locales,
        },
        snapshot_id: row.snapshot_id,
        content_hash: row.content_hash,
        up_to_date: row.up_to_date,
    }
}

pub async fn current(
    connection: &mut PgConnection,
    url_path: &UrlPath,
    locale: Locale,
) -> Result<Option<Current>, Error> {
    let row: Option<(SnapshotId, Vec<u8>)> =
        sqlx::query_as("select snapshot_id, content_hash from page where url_path = $1 and locale = $2")
            .bind(url_path.as_str())
            .bind(locale.code())
            .fetch_optional(connection)
            .await?;
    Ok(row.map(Current::from))
}

pub async fn point_at(
    connection: &mut PgConnection,
    page: &ReadyPage,
    snapshot: SnapshotId,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query(
        "insert into page (url_path, locale, snapshot_id, content_hash, template, page_type, noindex, published_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (url_path, locale) do update
         set snapshot_id = excluded.snapshot_id, content_hash = excluded.content_hash, template = excluded.template,
             page_type = excluded.page_type, noindex = excluded.noindex, published_at = excluded.published_at",
    )
    .bind(page.url_path.as_str())
    .bind(page.locale.code())
    .bind(snapshot)
    .bind(page.content_hash.as_bytes())
    .bind(page.template.name())
    .bind(&page.page_type)
    .bind(page.noindex)
    .bind(now)
    .execute(&mut *connection)
    .await?;
    page_locales::add(connection, page.url_path.as_str(), page.locale).await
}

/// False when there was none.
pub async fn remove(
    connection: &mut PgConnection,
    url_path: &UrlPath,
    locale: Locale,
) -> Result<bool, Error> {
    let done = sqlx::query("delete from page where url_path = $1 and locale = $2")
        .bind(url_path.as_str())
        .bind(locale.code())
        .execute(&mut *connection)
        .await?;
    page_locales::remove(connection, url_path.as_str(), locale).await?;
    Ok(done.rows_affected() == 1)
}

/// By path and locale, from where the last list ended. A statement for each kind of list: each has its index, and one
/// for all would be planned for the worst of them.
pub async fn list(connection: &mut PgConnection, filter: &ListFilter) -> Result<Vec<PageSummary>, Error> {
    let of_type = !filter.page_type.is_empty();
    let statement = match (filter.locale, of_type) {
        (None, false) => {
            "select url_path, locale, page_type, template, noindex, published_at from page
             where (url_path, locale) > ($1, $2)
             order by url_path, locale limit $3"
        }
        (Some(_), false) => {
            "select url_path, locale, page_type, template, noindex, published_at from page
             where locale = $4 and url_path >= $1 and (url_path, locale) > ($1, $2)
             order by url_path limit $3"
        }
        (None, true) => {
            "select url_path, locale, page_type, template, noindex, published_at from page
             where page_type = $4 and (url_path, locale) > ($1, $2)
             order by url_path, locale limit $3"
        }
        (Some(_), true) => {
            "select url_path, locale, page_type, template, noindex, published_at from page
             where page_type = $5 and (url_path, locale) > ($1, $2) and locale = $4
             order by url_path, locale limit $3"
        }
    };
    let mut query = sqlx::query_as(statement)
        .bind(&filter.after.name)
        .bind(&filter.after.locale)
        .bind(i64::try_from(filter.limit).unwrap_or(i64::MAX));
    if let Some(locale) = filter.locale {
        query = query.bind(locale.code());
    }
    if of_type {
        query = query.bind(&filter.page_type);
    }
    let pages: Vec<SummaryRow> = query.fetch_all(connection).await?;
    Ok(pages.into_iter().map(PageSummary::from).collect())
}
