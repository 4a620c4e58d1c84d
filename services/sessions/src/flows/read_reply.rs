//! Streams a reply from a position on: first the stored chunks, then new ones as they are stored. All readers get the same chunks.
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, watch};

use super::{Context, close_interrupted};
use crate::domain::position::Position;
use crate::domain::reply::{FailureReason, ReplyState};
use crate::error::Error;
use crate::store::{chunk, reply};

/// Chunks per query.
const PAGE_SIZE: i64 = 200;

/// For a reply that another process generates.
const REMOTE_POLL_INTERVAL: Duration = Duration::from_millis(300);

/// For a reply that this process generates: its task may end without a notification.
const LOCAL_POLL_INTERVAL: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PositionedEvent {
    pub position: Position,
    pub event: ReplyEvent,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ReplyEvent {
    Text(String),
    Done,
    Failed(FailureReason),
}

/// One reader's position in a reply.
pub struct ReplyReader {
    context: Arc<Context>,
    _permit: OwnedSemaphorePermit,
    position: Position,
    buffer: VecDeque<PositionedEvent>,
    is_finished: bool,
}

impl ReplyReader {
    pub fn new(context: Arc<Context>, permit: OwnedSemaphorePermit, after: Position) -> Self {
        Self {
            context,
            _permit: permit,
            position: after,
            buffer: VecDeque::new(),
            is_finished: false,
        }
    }

    pub fn position(&self) -> Position {
        self.position
    }

    /// `None` after `Done` or `Failed`. Every reply ends: by `max_duration` or by its lease.
    pub async fn next_event(&mut self) -> Result<Option<PositionedEvent>, Error> {
        loop {
            if let Some(event) = self.buffer.pop_front() {
                return Ok(Some(event));
            }
            if self.is_finished {
                return Ok(None);
            }
            let changes = self.context.notifiers.subscribe(self.position.reply_id);
            self.load_events().await?;
            if self.buffer.is_empty() && !self.is_finished {
                wait_for_change(changes).await;
            }
        }
    }

    /// Reads the status before the chunks: a reply whose status is finished has all of its chunks.
    async fn load_events(&mut self) -> Result<(), Error> {
        let reply_id = self.position.reply_id;
        let mut connection = self.context.pool.acquire().await?;
        let status = reply::status(&mut connection, reply_id)
            .await?
            .ok_or(Error::UnknownReply)?;
        let chunks = chunk::list_after(&mut connection, reply_id, self.position.number, PAGE_SIZE).await?;
        drop(connection);

        let is_page_full = i64::try_from(chunks.len()).is_ok_and(|count| count == PAGE_SIZE);
        for chunk in chunks {
            self.push(chunk.number, ReplyEvent::Text(chunk.text));
        }
        match status.state {
            _ if is_page_full => {}
            ReplyState::Writing if status.is_abandoned => close_interrupted(&self.context).await?,
            ReplyState::Writing => {}
            ReplyState::Finished => self.finish(ReplyEvent::Done),
            ReplyState::Failed(reason) => self.finish(ReplyEvent::Failed(reason)),
        }
        Ok(())
    }

    fn push(&mut self, number: i32, event: ReplyEvent) {
        self.position.number = number;
        self.buffer.push_back(PositionedEvent {
            position: self.position,
            event,
        });
    }

    fn finish(&mut self, event: ReplyEvent) {
        self.push(self.position.number.saturating_add(1), event);
        self.is_finished = true;
    }
}

async fn wait_for_change(changes: Option<watch::Receiver<()>>) {
    match changes {
        // An error means that generation ended: read again in both cases.
        Some(mut changes) => {
            let _ = tokio::time::timeout(LOCAL_POLL_INTERVAL, changes.changed()).await;
        }
        None => tokio::time::sleep(REMOTE_POLL_INTERVAL).await,
    }
}
