//! One flow per file. Only flows open transactions.
mod erase_member;
mod export_member;
mod make_partitions;
mod record_events;
mod record_web_events;
mod summarize;

use kit::bus::Bus;
use kit::clock::Clock;
use kit::database::Pool;

use crate::domain::privacy::Pseudonyms;

pub use erase_member::MemberEraser;
pub use export_member::{MemberEvent, MemberExport};
pub use make_partitions::make_partitions;
pub use record_events::record_events;
pub use record_web_events::record_web_events;
pub use summarize::summarize;

/// The dependencies of all flows.
pub struct Context {
    pub pool: Pool,
    pub clock: Clock,
    pub bus: Bus,
    pub months_ahead: u32,
    pub pseudonyms: Pseudonyms,
}
