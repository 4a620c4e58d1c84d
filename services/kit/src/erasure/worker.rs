//! Processes a service's erasure jobs one after the other and retries each until it succeeds.

use std::time::Duration;

use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use super::{ErasureHandler, ErasureJob, Prepared, Report, append_report, kit_records, tombstones};
use crate::clock::Clock;
use crate::database::Pool;
use crate::periodic;

const POLL_INTERVAL: Duration = Duration::from_millis(500);

/// Time until another replica may claim the job of a crashed worker.
const LEASE_SECS: i32 = 15;
const MAX_WAIT_SECS: i32 = 300;

/// Several replicas may run concurrently.
pub(crate) struct Worker<E> {
    service: &'static str,
    report: Report,
    pool: Pool,
    clock: Clock,
    handler: E,
}

/// Rows containing an identifier are deleted, so a short one would match other members' data.
const MIN_IDENTIFIER_LENGTH: usize = 16;

/// Result of one attempt.
enum Outcome {
    Done,
    NotYet,
}

impl<E: ErasureHandler> Worker<E> {
    pub fn new(service: &'static str, report: Report, pool: Pool, clock: Clock, handler: E) -> Self {
        Self {
            service,
            report,
            pool,
            clock,
            handler,
        }
    }

    pub async fn run(self, shutdown: CancellationToken) {
        let what = format!("claiming erasure jobs of {}", self.service);
        periodic::every(POLL_INTERVAL, &what, &shutdown, || self.process_due()).await;
    }

    async fn process_due(&self) -> Result<(), sqlx::Error> {
        while let Some((job, attempts)) = claim(&self.pool).await? {
            let wait_secs = match self.erase(&job).await {
                Ok(Outcome::Done) => continue,
                Ok(Outcome::NotYet) => 0,
                Err(error) => {
                    metrics::counter!("erasure_failures_total", "service" => self.service).increment(1);
                    tracing::warn!(
                        error = format!("{error:#}"),
                        service = self.service,
                        erasure = job.erasure_id,
                        "erasure not done; retried with backoff"
                    );
                    back_off_secs(attempts)
                }
            };
            reschedule(&self.pool, &job, wait_secs).await?;
            if wait_secs == 0 {
                // Another service must finish first: wait for the next poll.
                return Ok(());
            }
        }
        Ok(())
    }

    async fn erase(&self, job: &ErasureJob) -> anyhow::Result<Outcome> {
        if self.handler.prepare(job).await? == Prepared::NotYet {
            return Ok(Outcome::NotYet);
        }
        let mut tx = self.pool.begin().await?;
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
            "a member's data is erased"
        );
        Ok(Outcome::Done)
    }
}

async fn claim(pool: &Pool) -> Result<Option<(ErasureJob, i32)>, sqlx::Error> {
    let claimed: Option<(String, String, Vec<String>, i32)> = sqlx::query_as(
        "update erasure_job set attempts = attempts + 1,
             next_attempt_at = clock_timestamp() + make_interval(secs => $1)
         where erasure_id = (
             select erasure_id from erasure_job where next_attempt_at <= clock_timestamp()
             order by next_attempt_at limit 1 for update skip locked)
         returning erasure_id, user_id, services, attempts",
    )
    .bind(LEASE_SECS)
    .fetch_optional(pool)
    .await?;
    Ok(claimed.map(|(erasure_id, user_id, services, attempts)| {
        let job = ErasureJob {
            erasure_id,
            user_id,
            services,
        };
        (job, attempts)
    }))
}

async fn reschedule(pool: &Pool, job: &ErasureJob, wait_secs: i32) -> Result<(), sqlx::Error> {
    sqlx::query(
        "update erasure_job set next_attempt_at = clock_timestamp() + make_interval(secs => $2)
         where erasure_id = $1",
    )
    .bind(&job.erasure_id)
    .bind(wait_secs)
    .execute(pool)
    .await?;
    Ok(())
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

/// 1 s, 2 s, 4 s … up to five minutes.
fn back_off_secs(attempts: i32) -> i32 {
    2_i32
        .checked_pow(attempts.clamp(1, 16).unsigned_abs() - 1)
        .unwrap_or(MAX_WAIT_SECS)
        .min(MAX_WAIT_SECS)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn backoff_doubles_up_to_its_maximum() {
        assert_eq!(
            [1, 2, 3, 12, i32::MAX].map(back_off_secs),
            [1, 2, 4, MAX_WAIT_SECS, MAX_WAIT_SECS]
        );
    }
}
