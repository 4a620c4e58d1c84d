//! Items and locales as columns hold them.

use crate::domain::Place;
use crate::error::Error;

/// `table` is told when the columns hold what we never write.
pub fn read(table: &'static str, item: &str, locale: &str) -> Result<Place, Error> {
    match (item.parse(), locale.parse()) {
        (Ok(item), Ok(locale)) => Ok(Place { item, locale }),
        _ => Err(Error::BrokenRow {
            table,
            id: format!("{item} {locale}"),
            reason: "columns item and locale name nothing".to_owned(),
        }),
    }
}
