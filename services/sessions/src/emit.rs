//! Events of sessions, written to the outbox in the open transaction.
use kit::clock::Clock;
use kit::outbox::{self, NewEvent};
use proto::events::v1::AiTextFinished;
use sqlx::PgConnection;

use crate::domain::reply::{ReplyId, ReplyState};
use crate::error::Error;

/// The fields of `ai_text.finished`. Neither question nor text is part of the event.
pub struct FinishedReply {
    pub reply_id: ReplyId,
    pub text_type: String,
    pub lang: String,
    pub country: String,
    pub state: ReplyState,
}

pub async fn ai_text_finished(
    tx: &mut PgConnection,
    clock: &Clock,
    reply: FinishedReply,
) -> Result<(), Error> {
    let FinishedReply {
        reply_id,
        text_type,
        lang,
        country,
        state,
    } = reply;
    let data = AiTextFinished {
        r#type: text_type,
        lang,
        ok: state == ReplyState::Finished,
    };
    let event = NewEvent::new(reply_id, &data)?.lang(&data.lang).country(&country);
    outbox::append(tx, clock, event).await?;
    Ok(())
}
