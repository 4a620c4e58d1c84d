//! Processes a service's erasure jobs one after the other and retries each until it succeeds.

use std::time::Duration;

use async_trait::async_trait;
use chrono::TimeDelta;
use sqlx::PgConnection;

use super::{ErasureHandler, ErasureJob, Prepared, Report, append_report, kit_records, tombstones};
use crate::backoff::Backoff;
use crate::clock::Clock;
use crate::database::Pool;
use crate::due_queue::DueQueue;
use crate::reconciler::Reconciler;

pub(crate) const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Time until another replica may claim the job of a crashed worker.
const LEASE: TimeDelta = TimeDelta::seconds(15);
const BACKOFF: Backoff = Backoff::new(Duration::from_secs(1), Duration::from_mins(5));

const QUEUE: DueQueue = crate::due_queue! {
    table: "erasure_job",
    key: "erasure_id",
    due_at: "next_attempt_at",
    attempts: "attempts",
    returning: "erasure_id, user_id, services, attempts",
};

/// Several replicas may run concurrently.
pub(crate) struct Worker {
    service: &'static str,
    report: Report,
    pool: Pool,
    clock: Clock,
    /// Of leases and retries: the virtual clock may stand still.
    real_time: Clock,
    handler: Box<dyn ErasureHandler>,
}

/// Rows containing an identifier are deleted, so a short one would match other members' data.
const MIN_IDENTIFIER_LENGTH: usize = 16;

/// A job and its number of attempts, this one included.
#[derive(sqlx::FromRow)]
pub struct LeasedJob {
    #[sqlx(flatten)]
    job: ErasureJob,
    attempts: i32,
}

/// Result of one attempt.
enum Outcome {
    Done,
    NotYet,
}

impl Worker {
    pub fn new(
        service: &'static str,
        report: Report,
        pool: Pool,
        clock: Clock,
        handler: Box<dyn ErasureHandler>,
    ) -> Self {
        Self {
            service,
            report,
            pool,
            clock,
            real_time: Clock::system(),
            handler,
        }
    }

    async fn erase(&self, job: &ErasureJob) -> anyhow::Result<Outcome> {
        if self.handler.prepare(job).await? == Prepared::NotYet {
            return Ok(Outcome::NotYet);
        }
        let mut tx = crate::database::begin(&self.pool).await?;
        if !lock_job(&mut tx, job).await? {
            return Ok(Outcome::Done);
        }
        let erased = self.handler.erase(&mut tx, job).await?;
        let identifiers: Vec<String> = erased
            .identifiers
            .into_iter()
            .chain([job.user_id.clone()])
            .collect();
        anyhow::ensure!(
            identifiers
                .iter()
                .all(|identifier| identifier.len() >= MIN_IDENTIFIER_LENGTH),
            "an identifier is too short"
        );
        tombstones::add_tombstones(&mut tx, &self.clock, &identifiers).await?;
        if !kit_records::delete_records(&mut tx, &identifiers).await? {
            return Ok(Outcome::NotYet);
        }
        if self.report == Report::MemberDataErased {
            append_report(&mut tx, &self.clock, self.service, job, erased.retained).await?;
        }
        discard(&mut tx, job).await?;
        tx.commit().await?;
        metrics::counter!("erasures_total", "service" => self.service).increment(1);
        tracing::info!(
            service = self.service,
            erasure = job.erasure_id,
            "member data erased"
        );
        Ok(Outcome::Done)
    }
}

#[async_trait]
impl Reconciler for Worker {
    type Item = LeasedJob;
    type Error = sqlx::Error;
    const NAME: &'static str = "erase";
    const BATCH: i64 = 1;
    const CONCURRENCY: usize = 1;
    const TIMEOUT: Duration = Duration::from_mins(10);

    async fn lease(&self, limit: i64) -> Result<Vec<LeasedJob>, sqlx::Error> {
        QUEUE.lease(&self.pool, self.real_time.now(), LEASE, limit).await
    }

    fn id(item: &LeasedJob) -> String {
        item.job.erasure_id.clone()
    }

    async fn process(&self, LeasedJob { job, attempts }: LeasedJob) -> Result<(), sqlx::Error> {
        let wait = match self.erase(&job).await {
            Ok(Outcome::Done) => return Ok(()),
            // Another service must finish first.
            Ok(Outcome::NotYet) => POLL_INTERVAL,
            Err(error) => {
                metrics::counter!("erasure_failures_total", "service" => self.service).increment(1);
                tracing::warn!(
                    error = format!("{error:#}"),
                    service = self.service,
                    erasure = job.erasure_id,
                    "erasure not done; retried with backoff"
                );
                BACKOFF.after(attempts)
            }
        };
        let until = self.real_time.now() + wait;
        QUEUE.postpone(&self.pool, &job.erasure_id, until).await
    }
}

/// False if another worker has finished the job.
async fn lock_job(tx: &mut PgConnection, job: &ErasureJob) -> Result<bool, sqlx::Error> {
    let locked: Option<i32> =
        sqlx::query_scalar("select 1 from erasure_job where erasure_id = $1 for update")
            .bind(&job.erasure_id)
            .fetch_optional(tx)
            .await?;
    Ok(locked.is_some())
}

async fn discard(tx: &mut PgConnection, job: &ErasureJob) -> Result<(), sqlx::Error> {
    sqlx::query("delete from erasure_job where erasure_id = $1")
        .bind(&job.erasure_id)
        .execute(tx)
        .await?;
    Ok(())
}
