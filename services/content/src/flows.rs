//! What the service does, one file per verb. Only flows open transactions.

mod editing;
mod publishing;
mod reading;

use kit::clock::Clock;
use kit::database::Pool;

use reading::page_reader::PageReader;
use reading::read_validation::ReadValidation;

pub use editing::save_draft::SaveDraft;
pub use publishing::publish_due::publish_due;
pub use reading::list_samples::DEFAULT_CATEGORY;

/// Everything a flow needs.
pub struct Flows {
    pool: Pool,
    clock: Clock,
    pages: PageReader,
    read_validation: ReadValidation,
}

impl Flows {
    pub fn new(pool: Pool, clock: Clock) -> Self {
        Self {
            pages: PageReader::new(&pool),
            pool,
            clock,
            read_validation: ReadValidation::default(),
        }
    }
}
