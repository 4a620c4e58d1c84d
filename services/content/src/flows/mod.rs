//! What the service does, one file per verb. Only flows open transactions.

mod add_to_release;
mod cancel_schedule;
mod create_preview;
mod create_release;
mod discard_draft;
mod forget_previews;
mod page_reader;
mod publish_chrome;
mod publish_draft;
mod publish_due;
mod publish_page;
mod publish_record;
mod publish_release;
mod publish_seed;
mod put_live;
mod read;
mod read_drafts;
mod read_preview;
mod read_published;
mod read_versions;
mod remove_from_release;
mod restore_version;
mod revoke_preview;
mod save_draft;
mod schedule_publish;
mod screening;
mod stale;
mod unpublish;
mod work;

use kit::clock::Clock;
use kit::database::Pool;

use page_reader::PageReader;
use screening::Screening;

pub use publish_due::publish_due;
pub use read::USUAL_CATEGORY;
pub use save_draft::SaveDraft;

/// Everything a flow needs.
pub struct Flows {
    pool: Pool,
    clock: Clock,
    pages: PageReader,
    screening: Screening,
}

impl Flows {
    pub fn new(pool: Pool, clock: Clock) -> Self {
        Self {
            pages: PageReader::new(&pool),
            pool,
            clock,
            screening: Screening::default(),
        }
    }
}
