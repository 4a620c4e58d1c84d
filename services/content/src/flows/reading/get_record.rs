//! Returns a published record.

use crate::domain::{PublishedRecord, RecordKey};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::flows::reading::get_page::parse_locale;
use crate::flows::reading::read_validation::readable_record;
use crate::store;

impl Flows {
    pub async fn get_record(&self, kind: &str, id: &str, locale: &str) -> Result<PublishedRecord, Error> {
        let locale = parse_locale(locale)?;
        let missing = || Error::NotFound(NotFoundKind::Record);
        let (Ok(kind), Ok(id)) = (kind.parse(), id.parse()) else {
            return Err(missing());
        };
        let key = RecordKey { kind, id };
        let mut connection = self.pool.acquire().await?;
        let found = store::record::find(&mut connection, &key, locale).await?;
        let found = found.ok_or_else(missing)?;
        readable_record(found).ok_or_else(missing)
    }
}
