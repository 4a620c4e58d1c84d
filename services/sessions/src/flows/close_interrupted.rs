//! Closes replies whose lease has expired as `AI_INTERRUPTED`. They cannot be continued, because the question is not stored.
use super::Context;
use super::finish_reply::{count_outcome, finish_in_tx};
use crate::domain::reply::{FailureReason, ReplyState};
use crate::error::Error;
use crate::store::reply;

const BATCH: i64 = 100;

const INTERRUPTED: ReplyState = ReplyState::Failed(FailureReason::Interrupted);

pub async fn close_interrupted(context: &Context) -> Result<(), Error> {
    let mut tx = kit::database::begin(&context.pool).await?;
    let abandoned = reply::lock_abandoned(&mut tx, BATCH).await?;
    for reply_id in &abandoned {
        finish_in_tx(&mut tx, context, *reply_id, INTERRUPTED).await?;
    }
    tx.commit().await?;
    for reply_id in abandoned {
        tracing::warn!(reply.id = %reply_id, "reply closed as interrupted: its process ended");
        count_outcome(INTERRUPTED);
    }
    Ok(())
}
