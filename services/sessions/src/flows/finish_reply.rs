//! Closes a reply and tells of it, once: whoever comes second changes nothing.
use sqlx::PgConnection;

use super::Context;
use crate::domain::reply::{ReplyId, ReplyState};
use crate::emit::{self, Finished};
use crate::error::Error;
use crate::store::reply;

pub async fn finish_reply(context: &Context, reply_id: ReplyId, state: ReplyState) -> Result<(), Error> {
    let mut tx = context.pool.begin().await?;
    let is_first = finish_within(&mut tx, context, reply_id, state).await?;
    tx.commit().await?;
    if is_first {
        count(state);
    }
    Ok(())
}

/// True when it was still open.
pub async fn finish_within(
    tx: &mut PgConnection,
    context: &Context,
    reply_id: ReplyId,
    state: ReplyState,
) -> Result<bool, Error> {
    let Some(closed) = reply::close(tx, reply_id, state).await? else {
        return Ok(false);
    };
    let finished = Finished {
        reply_id,
        text_type: closed.text_type,
        lang: closed.lang,
        country: closed.country,
        state,
    };
    emit::ai_text_finished(tx, &context.clock, finished).await?;
    Ok(true)
}

pub fn count(state: ReplyState) {
    let outcome = match state {
        ReplyState::Writing | ReplyState::Finished => "finished",
        ReplyState::Failed(reason) => reason.code(),
    };
    metrics::counter!("sessions_ai_texts_total", "outcome" => outcome).increment(1);
}
