//! What a publishable page is. Pure: text in, faults or a ready document out.

mod chrome;
mod document;
mod fault;
mod markdown;
mod page;
mod page_token;
mod published;
mod sections;
mod seed_file;
mod url_path;

pub use blocks::Locale;
pub use chrome::{ChromeDraft, ReadyChrome, RecordDraft};
pub use document::{ContentHash, StoredBlock};
pub use fault::Fault;
pub use page::{PageDraft, ReadyPage, Seo};
pub use page_token::PageToken;
pub use published::{ListFilter, PageSummary, Published, PublishedChrome, PublishedPage};
pub use sections::{SectionDraft, SiteLink};
pub use seed_file::{parse_page, parse_record};
pub use url_path::UrlPath;

kit::typed_id! {
    /// One immutable version of a page or of a locale's chrome.
    pub SnapshotId = "snp"
}
