//! Published pages.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use super::page_locales;
use crate::domain::{
    CurrentSnapshot, ListFilter, Locale, PageSummary, PublishedPage, SnapshotId, UrlPath, ValidatedPage,
    block_types,
};
use crate::error::Error;

#[derive(sqlx::FromRow)]
struct SummaryRow {
    url_path: String,
    locale: String,
    page_type: String,
    template: String,
    noindex: bool,
    canonical_path: Option<String>,
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
            canonical_path: row.canonical_path,
            published_at: row.published_at,
        }
    }
}

#[derive(sqlx::FromRow)]
struct Row {
    place: i32,
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

/// A stored page, with the fields that decide on validation.
pub struct StoredPage {
    pub page: PublishedPage,
    pub snapshot_id: SnapshotId,
    pub content_hash: Vec<u8>,
    /// Written with the block types of today.
    pub up_to_date: bool,
}

/// Each page in its locale, else in the default one, with every locale that has it; in the order they are asked for.
/// One statement where the locales have the pages: it is on every reader's way.
pub async fn find_many(
    connection: &mut PgConnection,
    pages: &[(UrlPath, Locale)],
) -> Result<Vec<Option<StoredPage>>, sqlx::Error> {
    let mut found: Vec<Option<StoredPage>> = pages.iter().map(|_| None).collect();
    let asked = pages.iter().zip(0..).map(|((url_path, locale), place)| Asked {
        place,
        url_path: url_path.as_str(),
        locale: *locale,
    });
    let mut asked: Vec<_> = asked.collect();
    while !asked.is_empty() {
        for row in fetch(connection, &asked).await? {
            let at = usize::try_from(row.place).unwrap_or(usize::MAX);
            if let (Some(slot), Some((url_path, locale))) = (found.get_mut(at), pages.get(at)) {
                *slot = Some(read(row, url_path, *locale));
            }
        }
        asked.retain_mut(|asked| {
            let at = usize::try_from(asked.place).unwrap_or(usize::MAX);
            let has_another = asked.locale != Locale::default();
            asked.locale = Locale::default();
            has_another && matches!(found.get(at), Some(None))
        });
    }
    Ok(found)
}

struct Asked<'a> {
    place: i32,
    url_path: &'a str,
    locale: Locale,
}

async fn fetch(connection: &mut PgConnection, asked: &[Asked<'_>]) -> Result<Vec<Row>, sqlx::Error> {
    let places: Vec<i32> = asked.iter().map(|asked| asked.place).collect();
    let url_paths: Vec<&str> = asked.iter().map(|asked| asked.url_path).collect();
    let locales: Vec<&str> = asked.iter().map(|asked| asked.locale.code()).collect();
    sqlx::query_as(
        "select asked.place, page.locale as content_locale, page.snapshot_id, page.template, page.page_type,
                page.content_hash, snapshot.block_types = $4 as up_to_date, snapshot.document, page.published_at,
                (select locales from page_locales where page_locales.url_path = asked.url_path) as available_locales
         from unnest($1::int4[], $2::text[], $3::text[]) as asked (place, url_path, locale)
              join page on page.url_path = asked.url_path and page.locale = asked.locale
              join snapshot on snapshot.id = page.snapshot_id",
    )
    .bind(places)
    .bind(url_paths)
    .bind(locales)
    .bind(block_types())
    .fetch_all(connection)
    .await
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
) -> Result<Option<CurrentSnapshot>, Error> {
    let row: Option<(SnapshotId, Vec<u8>)> =
        sqlx::query_as("select snapshot_id, content_hash from page where url_path = $1 and locale = $2")
            .bind(url_path.as_str())
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
    page: &ValidatedPage,
    snapshot: SnapshotId,
    now: DateTime<Utc>,
) -> Result<(), Error> {
    sqlx::query(
        "insert into page (url_path, locale, snapshot_id, content_hash, template, page_type, noindex, published_at,
                           canonical_path)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)
         on conflict (url_path, locale) do update
         set snapshot_id = excluded.snapshot_id, content_hash = excluded.content_hash, template = excluded.template,
             page_type = excluded.page_type, noindex = excluded.noindex, published_at = excluded.published_at,
             canonical_path = excluded.canonical_path",
    )
    .bind(page.url_path.as_str())
    .bind(page.locale.code())
    .bind(snapshot)
    .bind(page.content_hash.as_bytes())
    .bind(page.template.name())
    .bind(&page.page_type)
    .bind(page.noindex)
    .bind(now)
    .bind(page.canonical_path.as_ref().map(UrlPath::as_str))
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
            "select url_path, locale, page_type, template, noindex, canonical_path, published_at from page
             where (url_path, locale) > ($1, $2)
             order by url_path, locale limit $3"
        }
        (Some(_), false) => {
            "select url_path, locale, page_type, template, noindex, canonical_path, published_at from page
             where locale = $4 and url_path >= $1 and (url_path, locale) > ($1, $2)
             order by url_path limit $3"
        }
        (None, true) => {
            "select url_path, locale, page_type, template, noindex, canonical_path, published_at from page
             where page_type = $4 and (url_path, locale) > ($1, $2)
             order by url_path, locale limit $3"
        }
        (Some(_), true) => {
            "select url_path, locale, page_type, template, noindex, canonical_path, published_at from page
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
