//! What readers ask for.

use super::Flows;
use crate::domain::{
    Fault, ListFilter, Locale, PageSummary, PageToken, PublishedChrome, PublishedPage, UrlPath,
};
use crate::error::Error;
use crate::store;

impl Flows {
    /// What cannot be a path is no fault of the request: there is just no such page.
    pub async fn get_page(&self, url_path: &str, locale: &str) -> Result<PublishedPage, Error> {
        let locale = parse_locale(locale)?;
        let url_path: UrlPath = url_path.parse().map_err(|_| Error::PageNotFound)?;
        let mut connection = self.pool.acquire().await?;
        let mut page = store::page::find(&mut connection, url_path, locale)
            .await?
            .ok_or(Error::PageNotFound)?;
        self.screening
            .screen(page.snapshot_id, &mut page.document.sections);
        Ok(page)
    }

    pub async fn get_chrome(&self, locale: &str) -> Result<PublishedChrome, Error> {
        let locale = parse_locale(locale)?;
        let mut connection = self.pool.acquire().await?;
        store::chrome::find(&mut connection, locale)
            .await?
            .ok_or(Error::ChromeNotFound)
    }

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
            url_path: last.url_path.clone(),
            locale: last.locale.clone(),
        });
        Ok((pages, next))
    }
}

fn parse_locale(locale: &str) -> Result<Locale, Error> {
    locale.parse().map_err(|error: blocks::UnknownLocale| {
        Error::Invalid(vec![Fault::not_allowed("locale", error.to_string())])
    })
}
