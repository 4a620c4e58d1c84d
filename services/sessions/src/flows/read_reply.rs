//! Tells a reply from a position on: what is stored at once, the rest as it is written. All who listen hear the same pieces.
use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{OwnedSemaphorePermit, watch};

use super::{Context, close_interrupted};
use crate::domain::position::Position;
use crate::domain::reply::{Reason, ReplyState};
use crate::error::Error;
use crate::store::{piece, reply};

/// Rows read at a time.
const PAGE: i64 = 200;

/// For a reply that another process writes.
const LOOK_EVERY: Duration = Duration::from_millis(300);

/// For one that is written here: should its writer die, nobody rings.
const LOOK_AT_LEAST_EVERY: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Heard {
    pub position: Position,
    pub told: Told,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Told {
    Text(String),
    Done,
    Failed(Reason),
}

/// One who listens.
pub struct Reader {
    context: Arc<Context>,
    _seat: OwnedSemaphorePermit,
    position: Position,
    waiting: VecDeque<Heard>,
    is_over: bool,
}

impl Reader {
    pub fn new(context: Arc<Context>, seat: OwnedSemaphorePermit, after: Position) -> Self {
        Self {
            context,
            _seat: seat,
            position: after,
            waiting: VecDeque::new(),
            is_over: false,
        }
    }

    pub fn position(&self) -> Position {
        self.position
    }

    /// `None` after the last word. It waits no longer than a reply may take.
    pub async fn hear(&mut self) -> Result<Option<Heard>, Error> {
        loop {
            if let Some(heard) = self.waiting.pop_front() {
                return Ok(Some(heard));
            }
            if self.is_over {
                return Ok(None);
            }
            let bell = self.context.bells.listen(self.position.reply_id);
            self.look().await?;
            if self.waiting.is_empty() && !self.is_over {
                rung(bell).await;
            }
        }
    }

    /// The standing is read before the pieces: a reply seen as finished has all of them.
    async fn look(&mut self) -> Result<(), Error> {
        let reply_id = self.position.reply_id;
        let mut connection = self.context.pool.acquire().await?;
        let standing = reply::standing(&mut connection, reply_id)
            .await?
            .ok_or(Error::UnknownReply)?;
        let pieces = piece::after(&mut connection, reply_id, self.position.number, PAGE).await?;
        drop(connection);

        let is_page_full = i64::try_from(pieces.len()).is_ok_and(|count| count == PAGE);
        for piece in pieces {
            self.tell(piece.number, Told::Text(piece.text));
        }
        match standing.state {
            _ if is_page_full => {}
            ReplyState::Writing if standing.is_abandoned => close_interrupted(&self.context).await?,
            ReplyState::Writing => {}
            ReplyState::Finished => self.end(Told::Done),
            ReplyState::Failed(reason) => self.end(Told::Failed(reason)),
        }
        Ok(())
    }

    fn tell(&mut self, number: i32, told: Told) {
        self.position.number = number;
        self.waiting.push_back(Heard {
            position: self.position,
            told,
        });
    }

    fn end(&mut self, told: Told) {
        self.tell(self.position.number.saturating_add(1), told);
        self.is_over = true;
    }
}

async fn rung(bell: Option<watch::Receiver<()>>) {
    match bell {
        // Rung or taken down: either way there is something to see.
        Some(mut bell) => {
            let _ = tokio::time::timeout(LOOK_AT_LEAST_EVERY, bell.changed()).await;
        }
        None => tokio::time::sleep(LOOK_EVERY).await,
    }
}
