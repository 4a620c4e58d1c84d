//! Lists published pages.

use crate::domain::{ListFilter, PageSummary, PageToken};
use crate::error::Error;
use crate::flows::Flows;
use crate::store;

impl Flows {
    /// The pages, and where the list goes on if it does.
    pub async fn list_pages(
        &self,
        filter: ListFilter,
    ) -> Result<(Vec<PageSummary>, Option<PageToken>), Error> {
        let limit = filter.limit;
        let one_more = ListFilter {
            limit: limit + 1,
            ..filter
        };
        let mut connection = self.pool.acquire().await?;
        let mut pages = store::page::list(&mut connection, &one_more).await?;
        let goes_on = pages.len() > limit;
        pages.truncate(limit);
        let next = pages.last().filter(|_| goes_on);
        let next = next.map(|last| PageToken {
            name: last.url_path.clone(),
            locale: last.locale.clone(),
        });
        Ok((pages, next))
    }
}
