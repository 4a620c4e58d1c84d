//! One file per flow: load, decide, save and emit, commit. Only flows open transactions, and none is open during a
//! provider call.

pub mod api;
mod catalogue_cache;
pub mod jobs;
pub mod privacy;
pub mod quote_event_queue;
pub mod steps;

use std::time::Duration;

pub use catalogue_cache::CatalogueCache;
use chrono::TimeDelta;
use kit::clock::Clock;
use kit::config::RotatingSecret;
use kit::database::Pool;
use kit::deadline;
use kit::single_flight::SingleFlight;
use secrecy::ExposeSecret;

use crate::domain::payment::poll_schedule::InFlightTimeout;
use crate::domain::pricing::bin::BinHashes;
use crate::domain::pricing::quote::QuoteKeys;
use crate::domain::subscription::dunning::Grace;
use crate::error::{Error, Result};
use crate::flows::quote_event_queue::QuoteEventPublisher;
use crate::ports::Providers;

const ANSWER_RESERVE: Duration = Duration::from_millis(500);

/// State shared by all flows.
pub struct Checkout {
    pub pool: Pool,
    pub clock: Clock,
    pub providers: Providers,
    pub catalogue: CatalogueCache,
    /// The first one signs quotes, all verify them.
    pub quote_secrets: RotatingSecret,
    pub bin_hashes: BinHashes,
    pub quote_events: QuoteEventPublisher,
    pub in_flight_timeout: InFlightTimeout,
    /// How long a renewal may stay overdue.
    pub grace: Grace,
    /// Retention of guests who have paid nothing.
    pub guest_retention: TimeDelta,
    /// How many members may begin a free trial of one product with one card.
    pub trials_per_card: i64,
    pub response_budget: Duration,
    /// Further sessions are sold.
    pub sessions_are_bookable: bool,
    /// Coalesces fetches that concurrent webhooks trigger.
    pub webhook_fetches: SingleFlight,
}

impl Checkout {
    /// Derived at each use, because the secrets are replaced while the process runs.
    fn quote_keys(&self) -> Result<QuoteKeys> {
        let secrets = self.quote_secrets.values();
        let keys = secrets.iter().map(|secret| secret.expose_secret().as_bytes());
        QuoteKeys::new(keys).ok_or(Error::QuoteInvalid)
    }

    /// How long a request may wait for the provider, leaving time for the response.
    fn remaining_response_budget(&self) -> Duration {
        let left = deadline::remaining().map(|left| left.saturating_sub(ANSWER_RESERVE));
        left.unwrap_or(self.response_budget).min(self.response_budget)
    }
}
