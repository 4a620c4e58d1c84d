//! What sessions does, one verb per file. Only flows open transactions, and none is open while the model is asked.
mod bells;
mod close_interrupted;
mod compose_reply;
mod erase_member;
mod finish_reply;
mod forget_replies;
mod read_reply;
mod write_ai_text;

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use kit::clock::Clock;
use kit::database::Pool;
use tokio::sync::{Semaphore, mpsc};

use crate::ports::Writer;

pub use bells::Bells;
pub use close_interrupted::close_interrupted;
pub use compose_reply::{Commission, compose_replies};
pub use erase_member::MemberEraser;
pub use forget_replies::forget_replies;
pub use read_reply::{Heard, Reader, Told};
pub use write_ai_text::{Ask, write_ai_text};

/// Everything a flow may use.
pub struct Context {
    pub pool: Pool,
    pub clock: Clock,
    pub writer: Arc<dyn Writer>,
    /// What is to be written next. Never full: a commission needs a slot first.
    pub commissions: mpsc::UnboundedSender<Commission>,
    /// As many texts as may be written at once.
    pub slots: Arc<Semaphore>,
    /// As many as may be listened to at once.
    pub seats: Arc<Semaphore>,
    pub bells: Bells,
    pub rules: Rules,
}

#[derive(Clone, Copy, Debug)]
pub struct Rules {
    /// After this a reply is closed, whatever the model does.
    pub longest: Duration,
    /// A writer that was not heard of for so long is dead.
    pub lease: Duration,
    /// How long a reply is kept.
    pub kept: TimeDelta,
}
