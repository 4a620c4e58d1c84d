//! Returns the published chrome of a locale.

use crate::domain::PublishedChrome;
use crate::error::Error;
use crate::flows::Flows;
use crate::flows::reading::get_page::parse_locale;
use crate::store;

impl Flows {
    pub async fn get_chrome(&self, locale: &str) -> Result<PublishedChrome, Error> {
        let locale = parse_locale(locale)?;
        let mut connection = self.pool.acquire().await?;
        store::chrome::find(&mut connection, locale)
            .await?
            .ok_or(Error::ChromeNotFound)
    }
}
