//! Drafts, schedules and releases as editors see them.

use blocks::Locale;
use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use crate::domain::diff::Change;
use crate::domain::draft::Draft;
use crate::domain::item::ContentKey;
use crate::domain::page_token::PageToken;
use crate::domain::validation_error::ValidationError;
use crate::domain::{PreviewId, ReleaseId, ScheduleId, SnapshotId};

/// How far the editing of an item has come.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftState {
    /// Counts every save, discard and publish; 0: never saved.
    pub revision: i64,
    /// `None`: there is no open draft.
    pub body: Option<String>,
    /// What was published when the draft was begun.
    pub base: Option<SnapshotId>,
    pub saved_at: Option<DateTime<Utc>>,
}

impl DraftState {
    pub const NEVER_SAVED: Self = Self {
        revision: 0,
        body: None,
        base: None,
        saved_at: None,
    };
}

/// What an editor starts from.
#[derive(Clone, Debug, PartialEq)]
pub struct DraftView {
    pub content_key: ContentKey,
    pub revision: i64,
    pub draft: Draft,
    pub errors: Vec<ValidationError>,
    pub base: Option<SnapshotId>,
    /// `None`: there is no open draft; this is what is published, or was before it was unpublished.
    pub saved_at: Option<DateTime<Utc>>,
}

/// Which drafts to list.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DraftFilter {
    /// `None`: all.
    pub locale: Option<Locale>,
    pub after: PageToken,
    pub limit: usize,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DraftSummary {
    pub content_key: ContentKey,
    pub revision: i64,
    pub saved_at: DateTime<Utc>,
}

/// A stored [`ValidationError`].
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct StoredValidationError {
    pub field: String,
    pub code: String,
    pub message: String,
}

impl From<ValidationError> for StoredValidationError {
    fn from(error: ValidationError) -> Self {
        Self {
            field: error.field,
            code: error.code.as_str_name().to_owned(),
            message: error.message,
        }
    }
}

/// What a save answers.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SavedDraft {
    pub revision: i64,
    /// What keeps it from being published.
    pub errors: Vec<StoredValidationError>,
}

/// What publishing a draft answers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PublishedDraft {
    pub snapshot_id: SnapshotId,
    /// False when readers had the same content already.
    pub changed: bool,
    pub revision: i64,
}

/// Why a write is stale.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Stale {
    pub cause: StaleCause,
    /// The revision that is there now.
    pub revision: i64,
    /// Changes since the stale revision; empty if that revision is purged.
    pub changes: Vec<Change>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StaleCause {
    /// The draft was saved, published or discarded meanwhile.
    Draft,
    /// Something else was published since the draft was begun.
    Published,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ScheduleState {
    Pending,
    Done,
    Failed,
    Cancelled,
}

impl ScheduleState {
    pub fn name(self) -> &'static str {
        match self {
            Self::Pending => "pending",
            Self::Done => "done",
            Self::Failed => "failed",
            Self::Cancelled => "cancelled",
        }
    }

    pub fn from_name(name: &str) -> Option<Self> {
        [Self::Pending, Self::Done, Self::Failed, Self::Cancelled]
            .into_iter()
            .find(|state| state.name() == name)
    }
}

/// What is to go live at a time.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Scheduled {
    Draft(ContentKey),
    Release(ReleaseId),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Schedule {
    pub id: ScheduleId,
    pub what: Scheduled,
    pub local_time: String,
    pub time_zone: String,
    pub at: DateTime<Utc>,
    pub state: ScheduleState,
    /// Why it failed.
    pub errors: Vec<StoredValidationError>,
}

/// Drafts that go live together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Release {
    pub id: ReleaseId,
    pub name: String,
    pub places: Vec<ContentKey>,
    pub created_at: DateTime<Utc>,
    pub published_at: Option<DateTime<Utc>>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Preview {
    pub id: PreviewId,
    pub content_key: ContentKey,
    pub expires_at: DateTime<Utc>,
}
