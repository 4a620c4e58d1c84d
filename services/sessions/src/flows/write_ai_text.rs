//! Starts the generation of a reply, or finds the reply of the same idempotency key, and returns a reader. Generation does not
use std::sync::Arc;

use kit::requester;
use tokio::sync::OwnedSemaphorePermit;

use super::{Context, GenerationJob, ReplyReader};
use crate::domain::position::Position;
use crate::domain::prompt::Prompt;
use crate::domain::question::Question;
use crate::domain::reply::ReplyId;
use crate::error::Error;
use crate::store::reply::{self, NewReply, ReplyIdentity};

pub struct AiTextRequest {
    pub question: Question,
    /// SHA-256 of question, language and type.
    pub fingerprint: [u8; 32],
    pub idempotency_key: Option<String>,
    /// The position of the last event received; `None` starts at the beginning.
    pub after: Option<Position>,
}

/// Errors: `Overloaded`, `UnknownReply`, `IdempotencyConflict`, `Stopping`.
pub async fn write_ai_text(context: &Arc<Context>, request: &AiTextRequest) -> Result<ReplyReader, Error> {
    let permit = Arc::clone(&context.reader_permits)
        .try_acquire_owned()
        .map_err(|_| Error::Overloaded)?;
    let position = match request.after {
        Some(position) => resume(context, request, position).await?,
        None => Position {
            reply_id: find_or_start(context, request).await?,
            number: 0,
        },
    };
    Ok(ReplyReader::new(Arc::clone(context), permit, position))
}

async fn resume(context: &Context, request: &AiTextRequest, position: Position) -> Result<Position, Error> {
    let mut connection = context.pool.acquire().await?;
    match reply::find_by_id(&mut connection, position.reply_id).await? {
        Some(stored) if is_same_question(&stored, request) => Ok(position),
        Some(_) | None => Err(Error::UnknownReply),
    }
}

async fn find_or_start(context: &Context, request: &AiTextRequest) -> Result<ReplyId, Error> {
    if let Some(reply_id) = find(context, request).await? {
        return Ok(reply_id);
    }
    let permit = Arc::clone(&context.generation_permits)
        .try_acquire_owned()
        .map_err(|_| Error::Overloaded)?;
    match start(context, request, permit).await? {
        Some(reply_id) => Ok(reply_id),
        // A concurrent request with the same key has inserted the reply.
        None => find(context, request).await?.ok_or(Error::UnknownReply),
    }
}

async fn find(context: &Context, request: &AiTextRequest) -> Result<Option<ReplyId>, Error> {
    let Some(key) = &request.idempotency_key else {
        return Ok(None);
    };
    let mut connection = context.pool.acquire().await?;
    match reply::find_by_key(&mut connection, key).await? {
        None => Ok(None),
        Some(stored) if is_same_question(&stored, request) => Ok(Some(stored.reply_id)),
        Some(_) => Err(Error::IdempotencyConflict),
    }
}

/// `None` if a concurrent request has inserted a reply with this key.
async fn start(
    context: &Context,
    request: &AiTextRequest,
    permit: OwnedSemaphorePermit,
) -> Result<Option<ReplyId>, Error> {
    let now = context.clock.now();
    let country = requester::current().country.unwrap_or_default();
    let new = NewReply {
        reply_id: ReplyId::new(now),
        idempotency_key: request.idempotency_key.as_deref(),
        fingerprint: request.fingerprint,
        text_type: &request.question.text_type,
        lang: request.question.language.code,
        country: &country,
        lease: context.limits.lease,
        created_at: now,
    };
    if !reply::insert(&mut *context.pool.acquire().await?, &new).await? {
        return Ok(None);
    }
    let job = GenerationJob {
        reply_id: new.reply_id,
        prompt: Prompt::for_question(&request.question),
        notifier: context.notifiers.register(new.reply_id),
        permit,
    };
    context.jobs.send(job).map_err(|_| Error::Stopping)?;
    Ok(Some(new.reply_id))
}

fn is_same_question(stored: &ReplyIdentity, request: &AiTextRequest) -> bool {
    stored.fingerprint == request.fingerprint
}
