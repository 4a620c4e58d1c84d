//! Closes a reply and emits `ai_text.finished`, once: closing a closed reply has no effect.
use sqlx::PgConnection;

use super::Context;
use crate::domain::reply::{ReplyId, ReplyState};
use crate::emit::{self, FinishedReply};
use crate::error::Error;
use crate::store::reply;

pub async fn finish_reply(context: &Context, reply_id: ReplyId, state: ReplyState) -> Result<(), Error> {
    let mut tx = kit::database::begin(&context.pool).await?;
    let is_first = finish_in_tx(&mut tx, context, reply_id, state).await?;
    tx.commit().await?;
    if is_first {
        count_outcome(state);
    }
    Ok(())
}

/// True if the reply was open.
pub async fn finish_in_tx(
    tx: &mut PgConnection,
    context: &Context,
    reply_id: ReplyId,
    state: ReplyState,
) -> Result<bool, Error> {
    let Some(closed) = reply::close(tx, reply_id, state).await? else {
        return Ok(false);
    };
    let finished = FinishedReply {
        reply_id,
        text_type: closed.text_type,
        lang: closed.lang,
        country: closed.country,
        state,
    };
    emit::ai_text_finished(tx, &context.clock, finished).await?;
    Ok(true)
}

pub fn count_outcome(state: ReplyState) {
    let outcome = match state {
        ReplyState::Writing | ReplyState::Finished => "finished",
        ReplyState::Failed(reason) => reason.code(),
    };
    metrics::counter!("sessions_ai_texts_total", "outcome" => outcome).increment(1);
}
