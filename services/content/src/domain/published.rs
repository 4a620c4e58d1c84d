//! What is published: what readers get.

use blocks::Locale;
use chrono::{DateTime, Utc};

use super::SnapshotId;
use super::document::{ChromeDocument, PageDocument};
use super::page_token::PageToken;

/// A page as a reader of `locale` gets it.
#[derive(Debug)]
pub struct PublishedPage {
    pub url_path: String,
    pub locale: Locale,
    /// Whose sections these are: the default locale's where the page is not translated.
    pub content_locale: String,
    pub snapshot_id: SnapshotId,
    pub document: PageDocument,
    pub published_at: DateTime<Utc>,
    pub available_locales: Vec<String>,
}

#[derive(Debug)]
pub struct PublishedChrome {
    pub document: ChromeDocument,
}

/// A line in a list of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSummary {
    pub url_path: String,
    pub locale: String,
    pub page_type: String,
    pub template: String,
    pub noindex: bool,
    pub published_at: DateTime<Utc>,
}

/// Which pages to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ListFilter {
    /// `None`: all.
    pub locale: Option<Locale>,
    /// Empty: all.
    pub page_type: String,
    pub after: PageToken,
    pub limit: usize,
}

/// The outcome of a publish.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Published {
    /// Readers see a new snapshot.
    Changed(SnapshotId),
    /// The same body was already there.
    Unchanged(SnapshotId),
}

impl Published {
    pub fn snapshot_id(self) -> SnapshotId {
        match self {
            Self::Changed(id) | Self::Unchanged(id) => id,
        }
    }

    pub fn changed(self) -> bool {
        matches!(self, Self::Changed(_))
    }
}
