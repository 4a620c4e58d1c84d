//! Closes the replies whose writer is dead, so that who waits for their rest hears that none will come. Nobody writes on:
//! the question is not kept.
use super::Context;
use super::finish_reply::{count, finish_within};
use crate::domain::reply::{Reason, ReplyState};
use crate::error::Error;
use crate::store::reply;

const BATCH: i64 = 100;

const INTERRUPTED: ReplyState = ReplyState::Failed(Reason::Interrupted);

pub async fn close_interrupted(context: &Context) -> Result<(), Error> {
    let mut tx = context.pool.begin().await?;
    let abandoned = reply::abandoned(&mut tx, BATCH).await?;
    for reply_id in &abandoned {
        finish_within(&mut tx, context, *reply_id, INTERRUPTED).await?;
    }
    tx.commit().await?;
    for reply_id in abandoned {
        tracing::warn!(reply.id = %reply_id, "Reply {reply_id} was left unfinished by a process that ended");
        count(INTERRUPTED);
    }
    Ok(())
}
