//! Locales of each page, in one row.

use sqlx::PgConnection;

use crate::domain::Locale;
use crate::error::Error;

pub async fn of(connection: &mut PgConnection, url_path: &str) -> Result<Vec<String>, Error> {
    let locales: Option<Vec<String>> =
        sqlx::query_scalar("select locales from page_locales where url_path = $1")
            .bind(url_path)
            .fetch_optional(connection)
            .await?;
    Ok(locales.unwrap_or_default())
}

/// Only a page that is new in its locale touches the row, so that locales do not wait for each other.
pub async fn add(connection: &mut PgConnection, url_path: &str, locale: Locale) -> Result<(), Error> {
    sqlx::query(
        "insert into page_locales (url_path, locales)
         select $1, array[$2]
         where not exists (select from page_locales where url_path = $1 and $2 = any(locales))
         on conflict (url_path) do update
         set locales = array(select distinct unnest(page_locales.locales || excluded.locales) collate \"C\" as locale
                             order by locale)",
    )
    .bind(url_path)
    .bind(locale.code())
    .execute(connection)
    .await?;
    Ok(())
}

pub async fn remove(connection: &mut PgConnection, url_path: &str, locale: Locale) -> Result<(), Error> {
    sqlx::query("update page_locales set locales = array_remove(locales, $2) where url_path = $1")
        .bind(url_path)
        .bind(locale.code())
        .execute(&mut *connection)
        .await?;
    sqlx::query("delete from page_locales where url_path = $1 and locales = '{}'")
        .bind(url_path)
        .execute(connection)
        .await?;
    Ok(())
}
