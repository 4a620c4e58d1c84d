//! Asks the model and stores what it writes, piece by piece, until the text is whole or will never be.
use std::sync::Arc;

use futures::StreamExt;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Context;
use super::bells::Bell;
use super::finish_reply::finish_reply;
use crate::domain::brief::Brief;
use crate::domain::reply::{LENGTH_MAX, Reason, ReplyId, ReplyState, cleaned};
use crate::error::Error;
use crate::ports::WriterError;
use crate::store::piece::{self, Piece};
use crate::store::reply;

/// What the model sent while the last piece was being stored becomes one piece.
const AT_ONCE: usize = 64;

/// A text to be written, with the right to do so.
pub struct Commission {
    pub reply_id: ReplyId,
    pub brief: Brief,
    pub bell: Bell,
    pub slot: OwnedSemaphorePermit,
}

/// Until `shutdown`; then takes nothing new and finishes what was begun.
pub async fn compose_replies(
    context: Arc<Context>,
    mut commissions: mpsc::UnboundedReceiver<Commission>,
    shutdown: CancellationToken,
) {
    // Ends with this task, as it would with the process.
    let mut writing = JoinSet::new();
    while let Some(Some(commission)) = shutdown.run_until_cancelled(commissions.recv()).await {
        let context = Arc::clone(&context);
        writing.spawn(async move { compose_reply(&context, commission).await });
        while writing.try_join_next().is_some() {}
    }
    commissions.close();
    while let Some(commission) = commissions.recv().await {
        let context = Arc::clone(&context);
        writing.spawn(async move { compose_reply(&context, commission).await });
    }
    while writing.join_next().await.is_some() {}
}

async fn compose_reply(context: &Context, commission: Commission) {
    let Commission {
        reply_id,
        brief,
        bell,
        slot,
    } = commission;
    let writing = write(context, reply_id, &brief, &bell);
    let state = tokio::select! {
        written = tokio::time::timeout(context.rules.longest, writing) => match written {
            Ok(Ok(())) => ReplyState::Finished,
            Ok(Err(reason)) => ReplyState::Failed(reason),
            Err(_) => ReplyState::Failed(Reason::BrokenOff),
        },
        () = keep_lease(context, reply_id) => ReplyState::Failed(Reason::Interrupted),
    };
    if let Err(error) = finish_reply(context, reply_id, state).await {
        tracing::error!(reply.id = %reply_id, %error, "Reply {reply_id} could not be closed; its lease will lapse");
    }
    drop((bell, slot));
}

async fn write(context: &Context, reply_id: ReplyId, brief: &Brief, bell: &Bell) -> Result<(), Reason> {
    let asked_at = Instant::now();
    let failed = |error: WriterError| reason(reply_id, &error);
    let mut arriving = context
        .writer
        .write(brief)
        .await
        .map_err(failed)?
        .ready_chunks(AT_ONCE);
    let mut text = Written::default();
    while let Some(chunks) = arriving.next().await {
        if text.number == 0 {
            metrics::histogram!("sessions_ai_first_piece_seconds").record(asked_at.elapsed());
        }
        let mut piece = String::new();
        let mut fault = None;
        for chunk in chunks {
            match chunk {
                Ok(chunk) => piece.push_str(&cleaned(&chunk)),
                Err(error) => fault = Some(error),
            }
        }
        text.add(context, reply_id, piece).await?;
        bell.ring();
        if let Some(error) = fault {
            return Err(failed(error));
        }
    }
    Ok(())
}

#[derive(Default)]
struct Written {
    number: i32,
    length: usize,
}

impl Written {
    async fn add(&mut self, context: &Context, reply_id: ReplyId, text: String) -> Result<(), Reason> {
        if text.is_empty() {
            return Ok(());
        }
        self.length += text.len();
        if self.length > LENGTH_MAX {
            return Err(Reason::BrokenOff);
        }
        self.number += 1;
        let piece = Piece {
            number: self.number,
            text,
        };
        match store(context, reply_id, &piece).await {
            Ok(true) => Ok(()),
            // Closed by somebody who took us for dead.
            Ok(false) => Err(Reason::Interrupted),
            Err(error) => {
                tracing::error!(reply.id = %reply_id, %error, "A piece of reply {reply_id} could not be stored");
                Err(Reason::Interrupted)
            }
        }
    }
}

async fn store(context: &Context, reply_id: ReplyId, piece: &Piece) -> Result<bool, Error> {
    Ok(piece::add(&mut *context.pool.acquire().await?, reply_id, piece).await?)
}

/// For as long as it is polled. A renewal that fails is tried again in time for the next.
async fn keep_lease(context: &Context, reply_id: ReplyId) {
    let lease = context.rules.lease;
    loop {
        tokio::time::sleep(lease / 4).await;
        let renewed =
            async { reply::extend_lease(&mut *context.pool.acquire().await?, reply_id, lease).await };
        if let Err(error) = renewed.await {
            tracing::warn!(reply.id = %reply_id, %error, "The lease of reply {reply_id} was not renewed");
        }
    }
}

fn reason(reply_id: ReplyId, error: &WriterError) -> Reason {
    let reason = match error {
        WriterError::Unreached(_) | WriterError::Refused { .. } => Reason::Unavailable,
        WriterError::Busy(_) => Reason::Busy,
        WriterError::Declined => Reason::Declined,
        WriterError::BrokenOff(_) => Reason::BrokenOff,
    };
    match error {
        WriterError::Refused { .. } => {
            tracing::error!(reply.id = %reply_id, %error, "The model refuses our requests");
        }
        WriterError::Declined => {}
        _ => tracing::warn!(reply.id = %reply_id, %error, "The model gave no whole text"),
    }
    reason
}
