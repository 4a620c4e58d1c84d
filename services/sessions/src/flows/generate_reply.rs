//! Streams the model's text into the database chunk by chunk, until it is complete or has failed. `write_ai_text` sends the jobs.
use std::sync::Arc;

use futures::StreamExt;
use tokio::sync::{OwnedSemaphorePermit, mpsc};
use tokio::task::JoinSet;
use tokio::time::Instant;
use tokio_util::sync::CancellationToken;

use super::Context;
use super::finish_reply::finish_reply;
use super::reply_notifiers::ReplyNotifier;
use crate::domain::prompt::Prompt;
use crate::domain::reply::{FailureReason, LENGTH_MAX, ReplyId, ReplyState, sanitize};
use crate::error::Error;
use crate::ports::ModelError;
use crate::store::chunk::{self, Chunk};
use crate::store::reply;

/// Texts that arrive while the last chunk is stored become one chunk.
const MAX_COALESCED_CHUNKS: usize = 64;

/// One reply to generate, with its concurrency permit.
pub struct GenerationJob {
    pub reply_id: ReplyId,
    pub prompt: Prompt,
    pub notifier: ReplyNotifier,
    pub permit: OwnedSemaphorePermit,
}

/// Runs jobs until `shutdown`, then finishes the accepted ones.
pub async fn generate_replies(
    context: Arc<Context>,
    mut jobs: mpsc::UnboundedReceiver<GenerationJob>,
    shutdown: CancellationToken,
) {
    // Aborted when this task is dropped.
    let mut running = JoinSet::new();
    while let Some(Some(job)) = shutdown.run_until_cancelled(jobs.recv()).await {
        let context = Arc::clone(&context);
        running.spawn(async move { generate_reply(&context, job).await });
        while running.try_join_next().is_some() {}
    }
    jobs.close();
    while let Some(job) = jobs.recv().await {
        let context = Arc::clone(&context);
        running.spawn(async move { generate_reply(&context, job).await });
    }
    while running.join_next().await.is_some() {}
}

async fn generate_reply(context: &Context, job: GenerationJob) {
    let GenerationJob {
        reply_id,
        prompt,
        notifier,
        permit,
    } = job;
    let running = stream_text(context, reply_id, &prompt, &notifier);
    let state = tokio::select! {
        written = tokio::time::timeout(context.limits.max_duration, running) => match written {
            Ok(Ok(())) => ReplyState::Finished,
            Ok(Err(reason)) => ReplyState::Failed(reason),
            Err(_) => ReplyState::Failed(FailureReason::Incomplete),
        },
        () = renew_lease(context, reply_id) => ReplyState::Failed(FailureReason::Interrupted),
    };
    if let Err(error) = finish_reply(context, reply_id, state).await {
        tracing::error!(reply.id = %reply_id, %error, "reply not closed; close_interrupted closes it when its lease expires");
    }
    drop((notifier, permit));
}

async fn stream_text(
    context: &Context,
    reply_id: ReplyId,
    prompt: &Prompt,
    notifier: &ReplyNotifier,
) -> Result<(), FailureReason> {
    let started_at = Instant::now();
    let failed = |error: ModelError| failure_reason(reply_id, &error);
    let mut batches = context
        .model
        .stream_text(prompt)
        .await
        .map_err(failed)?
        .ready_chunks(MAX_COALESCED_CHUNKS);
    let mut writer = TextWriter::default();
    while let Some(batch) = batches.next().await {
        if writer.number == 0 {
            metrics::histogram!("sessions_ai_first_token_seconds").record(started_at.elapsed());
        }
        let mut text = String::new();
        let mut model_error = None;
        for chunk in batch {
            match chunk {
                Ok(chunk) => text.push_str(&sanitize(&chunk)),
                Err(error) => model_error = Some(error),
            }
        }
        writer.add(context, reply_id, text).await?;
        notifier.notify();
        if let Some(error) = model_error {
            return Err(failed(error));
        }
    }
    Ok(())
}

#[derive(Default)]
struct TextWriter {
    number: i32,
    length: usize,
}

impl TextWriter {
    async fn add(&mut self, context: &Context, reply_id: ReplyId, text: String) -> Result<(), FailureReason> {
        if text.is_empty() {
            return Ok(());
        }
        self.length += text.len();
        if self.length > LENGTH_MAX {
            return Err(FailureReason::Incomplete);
        }
        self.number += 1;
        let chunk = Chunk {
            number: self.number,
            text,
        };
        match store_chunk(context, reply_id, &chunk).await {
            Ok(true) => Ok(()),
            // close_interrupted has closed the reply: our lease had expired.
            Ok(false) => Err(FailureReason::Interrupted),
            Err(error) => {
                tracing::error!(reply.id = %reply_id, %error, "chunk not stored; the reply fails");
                Err(FailureReason::Interrupted)
            }
        }
    }
}

async fn store_chunk(context: &Context, reply_id: ReplyId, chunk: &Chunk) -> Result<bool, Error> {
    Ok(chunk::insert(&mut *context.pool.acquire().await?, reply_id, chunk).await?)
}

/// Never returns. It renews four times per lease, so one failed renewal does no harm.
async fn renew_lease(context: &Context, reply_id: ReplyId) {
    let lease = context.limits.lease;
    loop {
        tokio::time::sleep(lease / 4).await;
        let renewed =
            async { reply::extend_lease(&mut *context.pool.acquire().await?, reply_id, lease).await };
        if let Err(error) = renewed.await {
            tracing::warn!(reply.id = %reply_id, %error, "lease of the reply not renewed; retried at the next interval");
        }
    }
}

fn failure_reason(reply_id: ReplyId, error: &ModelError) -> FailureReason {
    let reason = match error {
        ModelError::Unreachable(_) | ModelError::Rejected { .. } => FailureReason::Unavailable,
        ModelError::Busy(_) => FailureReason::Busy,
        ModelError::Declined => FailureReason::Declined,
        ModelError::Incomplete(_) => FailureReason::Incomplete,
    };
    match error {
        ModelError::Rejected { .. } => {
            tracing::error!(reply.id = %reply_id, %error, "the model rejects our requests; check AI_API_KEY, AI_MODEL and the credit");
        }
        ModelError::Declined => {}
        _ => tracing::warn!(reply.id = %reply_id, %error, "no complete text from the model; the reply fails"),
    }
    reason
}
