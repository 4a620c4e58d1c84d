//! All published items.

use sqlx::PgConnection;

use crate::domain::{ContentKey, Locale};
use crate::error::Error;

#[derive(sqlx::FromRow)]
struct Row {
    item: String,
    locale: String,
    document: String,
}

/// By item and locale, beginning behind `after`.
pub async fn list(
    connection: &mut PgConnection,
    locale: Option<Locale>,
    after: Option<&ContentKey>,
    limit: i64,
) -> Result<Vec<(ContentKey, String)>, Error> {
    let rows: Vec<Row> = sqlx::query_as(
        "select item, locale, document from snapshot
         where id in (select snapshot_id from page union all select snapshot_id from chrome
                      union all select snapshot_id from record)
           and ($1::text is null or locale = $1)
           and (item, locale) > ($2, $3)
         order by item, locale
         limit $4",
    )
    .bind(locale.map(Locale::code))
    .bind(
        after
            .map(|content_key| content_key.item.stored())
            .unwrap_or_default(),
    )
    .bind(
        after
            .map(|content_key| content_key.locale.code())
            .unwrap_or_default(),
    )
    .bind(limit)
    .fetch_all(connection)
    .await?;
    rows.into_iter().map(read).collect()
}

fn read(row: Row) -> Result<(ContentKey, String), Error> {
    let broken = |column: &str| Error::BrokenRow {
        table: "snapshot",
        id: format!("{} {}", row.item, row.locale),
        reason: format!("column {column} is none we write"),
    };
    let item = row.item.parse().map_err(|_| broken("item"))?;
    let locale = row.locale.parse().map_err(|_| broken("locale"))?;
    Ok((ContentKey { item, locale }, row.document))
}
