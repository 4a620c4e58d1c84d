//! Renders the draft behind a preview link.

use chrono::{DateTime, Utc};

use crate::domain::{Draft, PublishedPage, ValidationError};
use crate::error::{Error, NotFoundKind};
use crate::flows::Flows;
use crate::flows::editing::create_preview::hash;
use crate::flows::editing::stale_draft::published;
use crate::store::{draft, page_locales, preview};

#[derive(Debug)]
pub struct PreviewView {
    pub page: PublishedPage,
    pub errors: Vec<ValidationError>,
    pub expires_at: DateTime<Utc>,
}

impl Flows {
    /// The draft as far as it can be shown; what is published when there is no draft any more.
    pub async fn preview(&self, token: &str) -> Result<PreviewView, Error> {
        let missing = || Error::NotFound(NotFoundKind::Preview);
        let mut connection = self.pool.acquire().await?;
        let link = preview::find(&mut connection, &hash(token), self.clock.now()).await?;
        let link = link.ok_or_else(missing)?;
        let body = match draft::find(&mut connection, &link.content_key).await?.body {
            Some(body) => Some(body),
            None => published(&mut connection, &link.content_key).await?,
        };
        let Draft::Page(draft) = Draft::read(&link.content_key, &body.ok_or_else(missing)?)? else {
            return Err(missing());
        };
        let url_path = draft.url_path.clone();
        let shown = draft.preview().map_err(Error::Invalid)?;
        let page = PublishedPage {
            available_locales: page_locales::of(&mut connection, &url_path).await?,
            url_path,
            locale: link.content_key.locale,
            content_locale: link.content_key.locale.to_string(),
            template: shown.template.to_string(),
            page_type: shown.page_type,
            snapshot_id: None,
            document: shown.document,
            published_at: None,
        };
        Ok(PreviewView {
            page,
            errors: shown.errors,
            expires_at: link.expires_at,
        })
    }
}
