//! Returns a published page.

use crate::domain::{Locale, PublishedPage, UrlPath, ValidationError};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;

impl Flows {
    /// What cannot be a path is no error of the request: there is just no such page.
    pub async fn get_page(&self, url_path: &str, locale: &str) -> Result<PublishedPage, Error> {
        let locale = parse_locale(locale)?;
        let missing = || Error::NotFound(NotFoundKind::Page);
        let url_path: UrlPath = url_path.parse().map_err(|_| missing())?;
        let stored = self.pages.read(url_path, locale).await?;
        self.read_validation.page(stored.ok_or_else(missing)?)
    }
}

pub fn parse_locale(locale: &str) -> Result<Locale, Error> {
    locale.parse().map_err(|error: blocks::UnknownLocale| {
        Error::Invalid(vec![ValidationError::not_allowed("locale", error.to_string())])
    })
}
