//! One flow per file. Only flows open transactions, and no transaction spans a call of the model.
mod close_interrupted;
mod erase_member;
mod export_member;
mod finish_reply;
mod generate_reply;
mod purge_replies;
mod read_reply;
mod reply_notifiers;
mod write_ai_text;

use std::sync::Arc;
use std::time::Duration;

use chrono::TimeDelta;
use kit::clock::Clock;
use kit::database::Pool;
use tokio::sync::{Semaphore, mpsc};

use crate::ports::LanguageModel;

pub use close_interrupted::close_interrupted;
pub use erase_member::MemberEraser;
pub use export_member::export_member;
pub use generate_reply::{GenerationJob, generate_replies};
pub use purge_replies::purge_replies;
pub use read_reply::{PositionedEvent, ReplyEvent, ReplyReader};
pub use reply_notifiers::ReplyNotifiers;
pub use write_ai_text::{AiTextRequest, write_ai_text};

/// The dependencies of all flows.
pub struct Context {
    pub pool: Pool,
    pub clock: Clock,
    pub model: Arc<dyn LanguageModel>,
    /// Jobs for `generate_replies`. Unbounded, but each job holds one of `generation_permits`.
    pub jobs: mpsc::UnboundedSender<GenerationJob>,
    /// Limits the texts that are generated at the same time.
    pub generation_permits: Arc<Semaphore>,
    /// Limits the replies that are read at the same time.
    pub reader_permits: Arc<Semaphore>,
    pub notifiers: ReplyNotifiers,
    pub limits: ReplyLimits,
}

#[derive(Clone, Copy, Debug)]
pub struct ReplyLimits {
    /// A reply that takes longer is closed as `AI_BROKEN_OFF`.
    pub max_duration: Duration,
    /// Generation counts as interrupted when its lease was not renewed for this long.
    pub lease: Duration,
    /// Age at which a reply is purged.
    pub retention: TimeDelta,
}
