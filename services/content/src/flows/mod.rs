//! What the service does, one file per verb. Only flows open transactions.

mod publish_chrome;
mod publish_page;
mod publish_seed;
mod read;
mod screening;

use kit::clock::Clock;
use kit::database::Pool;

use screening::Screening;

pub use publish_seed::SeedOutcome;

/// Everything a flow needs.
pub struct Flows {
    pool: Pool,
    clock: Clock,
    screening: Screening,
}

impl Flows {
    pub fn new(pool: Pool, clock: Clock) -> Self {
        Self {
            pool,
            clock,
            screening: Screening::default(),
        }
    }
}
