//! What a publishable page is. Pure: text in, errors or a ready document out.

mod chrome;
mod diff;
mod document;
mod draft;
mod editing;
mod item;
mod local_time;
mod page;
mod page_token;
mod published;
mod readable;
mod record;
mod seo;
mod url_path;
mod validation_error;

pub use blocks::Locale;
pub use chrome::{ChromeDraft, RecordDraft, ValidatedChrome};
pub use diff::{Change, ChangeKind, changes, shortened};
pub use document::{ContentHash, PageDocument, SectionDraft, block_types, to_section};
pub use draft::{Draft, ValidatedDraft, comparable};
pub use editing::{
    DraftFilter, DraftState, DraftSummary, DraftView, Preview, PublishedDraft, Release, SavedDraft, Schedule,
    ScheduleState, Scheduled, Stale, StaleCause, StoredValidationError,
};
pub use item::{ContentKey, Item};
pub use local_time::{LocalTime, Note};
pub use page::sections::SiteLink;
pub use page::{PageDraft, ValidatedPage};
pub use page_token::{NotAToken, PageToken};
pub use published::{
    CurrentSnapshot, ListFilter, PageSummary, Published, PublishedChrome, PublishedPage, PublishedRecord,
    Version,
};
pub use readable::{Unreadable, readable_block, readable_page};
pub use record::record_key::{RecordKey, RecordKind};
pub use record::{NamedRecordDraft, ValidatedRecord};
pub use seo::{Article, Breadcrumb, HowTo, Job, Seo, Video};
pub use url_path::UrlPath;
pub use validation_error::ValidationError;

kit::typed_id! {
    /// One immutable version of an item.
    pub SnapshotId = "snp";
    /// Drafts that go live together.
    pub ReleaseId = "rel";
    /// A publish at a time to come.
    pub ScheduleId = "sch";
    /// A link to a draft.
    pub PreviewId = "prv"
}
