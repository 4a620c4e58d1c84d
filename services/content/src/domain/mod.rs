//! What a publishable page is. Pure: text in, faults or a ready document out.

mod chrome;
mod diff;
mod document;
mod draft;
mod editing;
mod fault;
mod item;
mod markdown;
mod page;
mod page_token;
mod published;
mod readable;
mod record;
mod record_key;
mod sections;
mod seo;
mod url_path;
mod wall_time;

pub use blocks::Locale;
pub use chrome::{ChromeDraft, ReadyChrome, RecordDraft};
pub use diff::{Change, ChangeKind, changes, shortened};
pub use document::{ContentHash, PageDocument, block_types, to_section};
pub use draft::{Draft, Ready, Unreadable, comparable};
pub use editing::{
    DraftFilter, DraftState, DraftSummary, DraftView, Preview, PublishedDraft, Release, SavedDraft, Schedule,
    ScheduleState, Scheduled, Stale, StaleCause, ToldFault,
};
pub use fault::Fault;
pub use item::{Item, Place};
pub use page::{PageDraft, ReadyPage};
pub use page_token::{NotAToken, PageToken};
pub use published::{
    Current, ListFilter, PageSummary, Published, PublishedChrome, PublishedPage, PublishedRecord, Version,
};
pub use readable::{readable_block, readable_page};
pub use record::{NamedRecordDraft, ReadyRecord};
pub use record_key::{RecordKey, RecordKind};
pub use sections::{SectionDraft, SiteLink};
pub use seo::{Article, Breadcrumb, HowTo, Job, Seo, Video};
pub use url_path::UrlPath;
pub use wall_time::{Note, WallTime};

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
