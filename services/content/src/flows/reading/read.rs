//! The read RPCs.

use serde_json::Value;

use crate::domain::{
    Fault, ListFilter, Locale, PageSummary, PageToken, PublishedChrome, PublishedPage, PublishedRecord,
    RecordKey, UrlPath,
};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::flows::reading::read_validation::readable_record;
use crate::store;

/// Category of requests without one.
pub const DEFAULT_CATEGORY: i32 = 101;

impl Flows {
    /// What cannot be a path is no fault of the request: there is just no such page.
    pub async fn get_page(&self, url_path: &str, locale: &str) -> Result<PublishedPage, Error> {
        let locale = parse_locale(locale)?;
        let missing = || Error::NotFound(NotFoundKind::Page);
        let url_path: UrlPath = url_path.parse().map_err(|_| missing())?;
        let stored = self.pages.read(url_path, locale).await?;
        self.read_validation.page(stored.ok_or_else(missing)?)
    }

    pub async fn get_chrome(&self, locale: &str) -> Result<PublishedChrome, Error> {
        let locale = parse_locale(locale)?;
        let mut connection = self.pool.acquire().await?;
        store::chrome::find(&mut connection, locale)
            .await?
            .ok_or(Error::ChromeNotFound)
    }

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

    /// The samples of a category, and whose words they are.
    pub async fn samples(&self, locale: &str, category: i32) -> Result<(Vec<Value>, String), Error> {
        let locale = parse_locale(locale)?;
        let mut connection = self.pool.acquire().await?;
        let records = store::record::of_category(&mut connection, category, locale).await?;
        drop(connection);
        let content_locale = records.first().map(|record| record.content_locale.clone());
        let mut items = Vec::new();
        for record in records.into_iter().filter_map(readable_record) {
            let mut document: Value = serde_json::from_str(&record.document)?;
            if let Some(Value::Array(found)) = document.get_mut("items").map(Value::take) {
                items.extend(found);
            }
        }
        Ok((items, content_locale.unwrap_or_else(|| locale.to_string())))
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
            name: last.url_path.clone(),
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
