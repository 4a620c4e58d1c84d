//! Everything that readers see, as drafts: what an export writes and a comparison goes through.

use super::Flows;
use crate::domain::{Draft, Locale, Place};
use crate::error::Error;
use crate::store::published;

const AT_ONCE: i64 = 200;

impl Flows {
    /// By item and locale, beginning behind `after`; the next part of the list, and empty at its end.
    pub async fn published(
        &self,
        locale: Option<Locale>,
        after: Option<&Place>,
    ) -> Result<Vec<(Place, Draft)>, Error> {
        let mut connection = self.pool.acquire().await?;
        let found = published::list(&mut connection, locale, after, AT_ONCE).await?;
        let read = found.into_iter().map(|(place, document)| {
            let draft = Draft::read(&place, &document)?;
            Ok((place, draft))
        });
        read.collect()
    }
}
