//! Published pages, records and versions.

use blocks::Locale;
use chrono::{DateTime, Utc};

use crate::domain::SnapshotId;
use crate::domain::document::ChromeDocument;
use crate::domain::page_token::PageToken;

/// A page as a reader of `locale` gets it.
#[derive(Debug)]
pub struct PublishedPage {
    pub url_path: String,
    pub locale: Locale,
    /// Whose sections these are: the default locale's where the page is not translated.
    pub content_locale: String,
    pub template: String,
    pub page_type: String,
    /// None in a preview.
    pub snapshot_id: Option<SnapshotId>,
    /// A [`crate::domain::PageDocument`], as it is stored.
    pub document: String,
    pub published_at: Option<DateTime<Utc>>,
    pub available_locales: Vec<String>,
}

#[derive(Debug)]
pub struct PublishedChrome {
    pub document: ChromeDocument,
}

/// A record as a reader gets it.
#[derive(Debug)]
pub struct PublishedRecord {
    pub content_locale: String,
    pub snapshot_id: SnapshotId,
    pub document: String,
}

/// A line in a list of pages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageSummary {
    pub url_path: String,
    pub locale: String,
    pub page_type: String,
    pub template: String,
    pub noindex: bool,
    /// The page search engines are to show in place of this one.
    pub canonical_path: Option<String>,
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

/// Which snapshot of an item readers see.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CurrentSnapshot {
    pub snapshot_id: SnapshotId,
    pub content_hash: Vec<u8>,
}

/// One of the snapshots of an item.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Version {
    /// Counts from 1 within the item.
    pub number: i32,
    pub snapshot_id: SnapshotId,
    pub published_at: DateTime<Utc>,
    /// Whether readers see this one.
    pub current: bool,
}
