//! All published items as drafts, for export and comparison.

use crate::domain::{ContentKey, Draft, Locale};
use crate::error::Error;
use crate::flows::Flows;
use crate::store::published;

const AT_ONCE: i64 = 200;

impl Flows {
    /// By item and locale, beginning behind `after`; the next part of the list, and empty at its end.
    pub async fn published(
        &self,
        locale: Option<Locale>,
        after: Option<&ContentKey>,
    ) -> Result<Vec<(ContentKey, Draft)>, Error> {
        let mut connection = self.pool.acquire().await?;
        let found = published::list(&mut connection, locale, after, AT_ONCE).await?;
        let read = found.into_iter().map(|(content_key, document)| {
            let draft = Draft::read(&content_key, &document)?;
            Ok((content_key, draft))
        });
        read.collect()
    }
}
