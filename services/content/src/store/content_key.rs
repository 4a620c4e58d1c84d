//! Items and locales in columns.

use crate::domain::ContentKey;
use crate::error::Error;

/// `table` is named in the error of an unparseable row.
pub fn read(table: &'static str, item: &str, locale: &str) -> Result<ContentKey, Error> {
    match (item.parse(), locale.parse()) {
        (Ok(item), Ok(locale)) => Ok(ContentKey { item, locale }),
        _ => Err(Error::BrokenRow {
            table,
            id: format!("{item} {locale}"),
            reason: "columns item and locale name nothing".to_owned(),
        }),
    }
}
