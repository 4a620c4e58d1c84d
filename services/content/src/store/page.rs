//! Which snapshot of a page readers see.

use chrono::{DateTime, Utc};
use sqlx::PgConnection;

use crate::domain::{ListFilter, Locale, PageSummary, PublishedPage, ReadyPage, SnapshotId, UrlPath};
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
    document: String,
    published_at: DateTime<Utc>,
    available_locales: Vec<String>,
}

/// The page in its locale, else in the default one; with every locale that has it. One statement: it is on every
/// reader's way.
pub async fn find(
    connection: &mut PgConnection,
    url_path: UrlPath,
    locale: Locale,
) -> Result<Option<PublishedPage>, Error> {
    let row: Option<Row> = sqlx::query_as(
        "select page.locale as content_locale, page.snapshot_id, snapshot.document, page.published_at,
                array(select other.locale from page as other where other.url_path = page.url_path order by other.locale)
                    as available_locales
         from page join snapshot on snapshot.id = page.snapshot_id
         where page.url_path = $1 and page.locale in ($2, $3)
         order by page.locale = $2 desc
         limit 1",
    )
    .bind(url_path.as_str())
    .bind(locale.code())
    .bind(Locale::default().code())
    .fetch_optional(connection)
    .await?;
    row.map(|row| read(row, &url_path, locale)).transpose()
}

fn read(row: Row, url_path: &UrlPath, locale: Locale) -> Result<PublishedPage, Error> {
    let document = serde_json::from_str(&row.document).map_err(|error| Error::BrokenRow {
        table: "snapshot",
        id: row.snapshot_id.to_string(),
        reason: format!("column document: {error}"),
    })?;
    Ok(PublishedPage {
        url_path: url_path.to_string(),
        locale,
        content_locale: row.content_locale,
        snapshot_id: row.snapshot_id,
        document,
        published_at: row.published_at,
        available_locales: row.available_locales,
    })
}

/// The snapshot readers see now, if it has this content.
pub async fn current_if_same(
    connection: &mut PgConnection,
    page: &ReadyPage,
) -> Result<Option<SnapshotId>, Error> {
    let id = sqlx::query_scalar(
        "select snapshot_id from page where url_path = $1 and locale = $2 and content_hash = $3",
    )
    .bind(page.url_path.as_str())
    .bind(page.locale.code())
    .bind(page.content_hash.as_bytes())
    .fetch_optional(connection)
    .await?;
    Ok(id)
}

/// The snapshot readers see now, of a page that is known to be there.
pub async fn current(connection: &mut PgConnection, page: &ReadyPage) -> Result<SnapshotId, Error> {
    let id = sqlx::query_scalar("select snapshot_id from page where url_path = $1 and locale = $2")
        .bind(page.url_path.as_str())
        .bind(page.locale.code())
        .fetch_one(connection)
        .await?;
    Ok(id)
}

/// Points readers at a snapshot. False when another publisher has put the same content there meanwhile.
pub async fn point_at(
    connection: &mut PgConnection,
    page: &ReadyPage,
    snapshot: SnapshotId,
    now: DateTime<Utc>,
) -> Result<bool, Error> {
    let done = sqlx::query(
        "insert into page (url_path, locale, snapshot_id, content_hash, template, page_type, noindex, published_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8)
         on conflict (url_path, locale) do update
         set snapshot_id = excluded.snapshot_id, content_hash = excluded.content_hash, template = excluded.template,
             page_type = excluded.page_type, noindex = excluded.noindex, published_at = excluded.published_at
         where page.content_hash <> excluded.content_hash",
    )
    .bind(page.url_path.as_str())
    .bind(page.locale.code())
    .bind(snapshot)
    .bind(page.content_hash.as_bytes())
    .bind(page.template.name())
    .bind(&page.page_type)
    .bind(page.noindex)
    .bind(now)
    .execute(connection)
    .await?;
    Ok(done.rows_affected() == 1)
}

/// By path and locale, from where the last list ended.
pub async fn list(connection: &mut PgConnection, filter: &ListFilter) -> Result<Vec<PageSummary>, Error> {
    let pages: Vec<SummaryRow> = sqlx::query_as(
        "select url_path, locale, page_type, template, noindex, published_at
         from page
         where (url_path, locale) > ($1, $2)
           and ($3::text is null or locale = $3)
           and ($4 = '' or page_type = $4)
         order by url_path, locale
         limit $5",
    )
    .bind(&filter.after.url_path)
    .bind(&filter.after.locale)
    .bind(filter.locale.map(Locale::code))
    .bind(&filter.page_type)
    .bind(i64::try_from(filter.limit).unwrap_or(i64::MAX))
    .fetch_all(connection)
    .await?;
    Ok(pages.into_iter().map(PageSummary::from).collect())
}
