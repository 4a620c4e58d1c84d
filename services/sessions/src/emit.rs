//! What sessions tells the world, written into the outbox of the open transaction.
use kit::clock::Clock;
use kit::outbox::{self, NewEvent};
use proto::events::v1::AiTextFinished;
use sqlx::PgConnection;

use crate::domain::reply::{ReplyId, ReplyState};
use crate::error::Error;

/// Whose end is told: the question and the reply are not.
pub struct Finished {
    pub reply_id: ReplyId,
    pub text_type: String,
    pub lang: String,
    pub country: String,
    pub state: ReplyState,
}

pub async fn ai_text_finished(tx: &mut PgConnection, clock: &Clock, finished: Finished) -> Result<(), Error> {
    let Finished {
        reply_id,
        text_type,
        lang,
        country,
        state,
    } = finished;
    let data = AiTextFinished {
        r#type: text_type,
        lang,
        ok: state == ReplyState::Finished,
    };
    let draft = NewEvent::new("stillpoint.sessions.ai_text.finished", reply_id, &data)?
        .lang(&data.lang)
        .country(&country);
    outbox::append(tx, clock, draft).await?;
    Ok(())
}
