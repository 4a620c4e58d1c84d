//! Lists open drafts.

use crate::domain::{DraftFilter, DraftSummary, PageToken};
use crate::error::Error;
use crate::flows::Flows;
use crate::store::draft;

impl Flows {
    /// The open drafts, and where the list goes on if it does.
    pub async fn drafts(&self, filter: DraftFilter) -> Result<(Vec<DraftSummary>, Option<PageToken>), Error> {
        let limit = filter.limit;
        let one_more = DraftFilter {
            limit: limit + 1,
            ..filter
        };
        let mut connection = self.pool.acquire().await?;
        let mut drafts = draft::list(&mut connection, &one_more).await?;
        let goes_on = drafts.len() > limit;
        drafts.truncate(limit);
        let next = drafts.last().filter(|_| goes_on).map(|last| PageToken {
            name: last.content_key.item.stored(),
            locale: last.content_key.locale.to_string(),
        });
        Ok((drafts, next))
    }
}
