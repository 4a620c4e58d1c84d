//! Begins a text, or finds the one that was begun, and lets the caller listen. The writing goes on whoever leaves.
use std::sync::Arc;

use kit::requester;
use tokio::sync::OwnedSemaphorePermit;

use super::{Commission, Context, Reader};
use crate::domain::brief::Brief;
use crate::domain::position::Position;
use crate::domain::question::Question;
use crate::domain::reply::ReplyId;
use crate::error::Error;
use crate::store::reply::{self, Known, NewReply};

pub struct Ask {
    pub question: Question,
    /// Over question, language and type.
    pub fingerprint: [u8; 32],
    pub idempotency_key: Option<String>,
    /// The last thing that was heard.
    pub after: Option<Position>,
}

/// Where to listen from.
pub async fn write_ai_text(context: &Arc<Context>, ask: &Ask) -> Result<Reader, Error> {
    let seat = Arc::clone(&context.seats)
        .try_acquire_owned()
        .map_err(|_| Error::Overloaded)?;
    let position = match ask.after {
        Some(position) => resume(context, ask, position).await?,
        None => Position {
            reply_id: find_or_begin(context, ask).await?,
            number: 0,
        },
    };
    Ok(Reader::new(Arc::clone(context), seat, position))
}

async fn resume(context: &Context, ask: &Ask, position: Position) -> Result<Position, Error> {
    let mut connection = context.pool.acquire().await?;
    match reply::by_id(&mut connection, position.reply_id).await? {
        Some(known) if answers(&known, ask) => Ok(position),
        Some(_) | None => Err(Error::UnknownReply),
    }
}

async fn find_or_begin(context: &Context, ask: &Ask) -> Result<ReplyId, Error> {
    if let Some(reply_id) = find(context, ask).await? {
        return Ok(reply_id);
    }
    let slot = Arc::clone(&context.slots)
        .try_acquire_owned()
        .map_err(|_| Error::Overloaded)?;
    match begin(context, ask, slot).await? {
        Some(reply_id) => Ok(reply_id),
        // The same request was a moment faster.
        None => find(context, ask).await?.ok_or(Error::UnknownReply),
    }
}

async fn find(context: &Context, ask: &Ask) -> Result<Option<ReplyId>, Error> {
    let Some(key) = &ask.idempotency_key else {
        return Ok(None);
    };
    let mut connection = context.pool.acquire().await?;
    match reply::by_key(&mut connection, key).await? {
        None => Ok(None),
        Some(known) if answers(&known, ask) => Ok(Some(known.reply_id)),
        Some(_) => Err(Error::IdempotencyConflict),
    }
}

/// `None` when the key was taken meanwhile.
async fn begin(context: &Context, ask: &Ask, slot: OwnedSemaphorePermit) -> Result<Option<ReplyId>, Error> {
    let now = context.clock.now();
    let country = requester::current().country.unwrap_or_default();
    let new = NewReply {
        reply_id: ReplyId::new(now),
        idempotency_key: ask.idempotency_key.as_deref(),
        fingerprint: ask.fingerprint,
        text_type: &ask.question.text_type,
        lang: ask.question.language.code,
        country: &country,
        lease: context.rules.lease,
        created_at: now,
    };
    if !reply::insert(&mut *context.pool.acquire().await?, &new).await? {
        return Ok(None);
    }
    let commission = Commission {
        reply_id: new.reply_id,
        brief: Brief::of(&ask.question),
        bell: context.bells.hang(new.reply_id),
        slot,
    };
    context
        .commissions
        .send(commission)
        .map_err(|_| Error::Stopping)?;
    Ok(Some(new.reply_id))
}

fn answers(known: &Known, ask: &Ask) -> bool {
    known.fingerprint == ask.fingerprint
}
