//! Runs due schedules. State and effect commit together, so each runs once across crashes.

use kit::error::ErrorCode;
use std::sync::Arc;

use chrono::TimeDelta;
use kit::periodic;
use sqlx::PgConnection;
use tokio_util::sync::CancellationToken;

use crate::domain::{Schedule, ScheduleState, Scheduled, StoredValidationError, ValidationError};
use crate::error::Error;
use crate::flows::Flows;
use crate::store::schedule;

/// How late a publish may be.
const EVERY: TimeDelta = TimeDelta::seconds(1);

pub async fn publish_due(flows: Arc<Flows>, shutdown: CancellationToken) {
    periodic::every_by_clock(&flows.clock, EVERY, "publish-due", &shutdown, || async {
        let published = flows.publish_all_due().await;
        flows.forget_previews().await.and(published)
    })
    .await;
}

impl Flows {
    async fn publish_all_due(&self) -> Result<(), Error> {
        while self.publish_next_due().await? {}
        Ok(())
    }

    /// `false`: nothing is due, or another replica runs it.
    async fn publish_next_due(&self) -> Result<bool, Error> {
        let mut transaction = kit::database::begin(&self.pool).await?;
        let now = self.clock.now();
        let Some(due) = schedule::claim_due(&mut transaction, now).await? else {
            return Ok(false);
        };
        match self.put_scheduled_live(&mut transaction, &due).await {
            Ok(()) => {
                schedule::finish(&mut transaction, due.id, ScheduleState::Done, &[], now).await?;
                transaction.commit().await?;
                metrics::counter!("content_scheduled_publishes_total", "outcome" => "done").increment(1);
                tracing::info!(schedule = %due.id, "scheduled publish done");
            }
            Err(error) if error.is_passing() => return Err(error),
            Err(error) => {
                transaction.rollback().await?;
                self.give_up(&due, error).await?;
            }
        }
        Ok(true)
    }

    async fn put_scheduled_live(&self, connection: &mut PgConnection, due: &Schedule) -> Result<(), Error> {
        match &due.what {
            Scheduled::Draft(content_key) => self.apply_draft(connection, content_key).await.map(drop),
            Scheduled::Release(id) => self.apply_release(connection, *id).await.map(drop),
        }
    }

    /// Trying again would change nothing: an editor has to see to it.
    async fn give_up(&self, due: &Schedule, error: Error) -> Result<(), Error> {
        tracing::error!(schedule = %due.id, %error, "scheduled publish failed");
        metrics::counter!("content_scheduled_publishes_total", "outcome" => "failed").increment(1);
        let errors = error.into_errors().unwrap_or_else(|_| {
            let message = "Something went wrong on our side.";
            vec![ValidationError::new("", ErrorCode::Internal, message)]
        });
        let errors: Vec<StoredValidationError> =
            errors.into_iter().map(StoredValidationError::from).collect();
        let mut connection = self.pool.acquire().await?;
        let now = self.clock.now();
        schedule::finish(&mut connection, due.id, ScheduleState::Failed, &errors, now).await?;
        Ok(())
    }
}
