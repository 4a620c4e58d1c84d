//! A service's part in the erasure of a member: asked for by an event, worked off until it succeeds, reported by an event.
//!
//! The request is stored as a job with the inbox row. The worker prepares (what is outside, as often as it takes), then
//! erases, bars what comes late, and reports in one transaction. Killed anywhere, it goes on with the same job.

mod kit_records;
mod tombstones;
mod worker;

use async_trait::async_trait;
use proto::events::v1::{ErasureRequested, MemberDataErased};
use sqlx::PgConnection;

pub use tombstones::{add_tombstones, is_tombstoned, tombstone_arguments};
pub use worker::Worker;

use crate::bus::CloudEvent;
use crate::clock::Clock;
use crate::consumer::{Handler, HandlerError};
use crate::outbox::{self, NewEvent};

/// Tells that a member is to be erased.
pub const REQUESTED: &str = "stillpoint.auth.erasure.requested";

/// One member to be erased.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ErasureJob {
    pub erasure_id: String,
    pub user_id: String,
    /// All that are to report.
    pub services: Vec<String>,
}

/// Whether everything outside is done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    Ready,
    /// Others are not done; asked again in a moment.
    NotYet,
}

/// What a service does to a member's data. Both may happen again after a crash.
#[async_trait]
pub trait ErasureHandler: Send + Sync + 'static {
    /// What cannot be done in a transaction: a provider told, others waited for.
    async fn prepare(&self, job: &ErasureJob) -> anyhow::Result<Prepared>;

    /// Erases inside `tx`, and says by what else than their id the member was known.
    async fn erase(&self, tx: &mut PgConnection, job: &ErasureJob) -> anyhow::Result<ErasedData>;
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErasedData {
    /// Ids of what was theirs: tombstoned from now on, and searched for in what kit keeps.
    pub identifiers: Vec<String>,
    /// What the law makes us keep, by its code.
    pub retained: Vec<String>,
}

/// Turns the event into a job. A second event about the same erasure is done again and harmless.
#[derive(Clone, Debug)]
pub struct ErasureRequestHandler(pub Clock);

#[async_trait]
impl Handler for ErasureRequestHandler {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        let requested: ErasureRequested = event
            .decode()
            .map_err(|fault| HandlerError::Reject(fault.to_string()))?;
        if requested.erasure_id.is_empty() || requested.user_id.is_empty() {
            return Err(HandlerError::Reject("nobody is named".to_owned()));
        }
        let job = ErasureJob {
            erasure_id: requested.erasure_id,
            user_id: requested.user_id,
            services: requested.services,
        };
        Ok(enqueue(tx, &self.0, &job).await?)
    }
}

/// Takes the member's work on, and nothing new of theirs.
pub async fn enqueue(tx: &mut PgConnection, clock: &Clock, job: &ErasureJob) -> Result<(), sqlx::Error> {
    add_tombstones(tx, clock, std::slice::from_ref(&job.user_id)).await?;
    sqlx::query(
        "insert into erasure_job (erasure_id, user_id, services) values ($1, $2, $3) on conflict do nothing",
    )
    .bind(&job.erasure_id)
    .bind(&job.user_id)
    .bind(&job.services)
    .execute(tx)
    .await?;
    Ok(())
}

/// Where and how a service reports.
#[derive(Clone, Copy, Debug)]
pub struct ErasureSpec {
    pub service: &'static str,
    /// `stillpoint.<service>.member_data.erased`; none for whoever closes the erasure and tells of that.
    pub subject: Option<&'static str>,
}

impl ErasureSpec {
    async fn append(
        &self,
        tx: &mut PgConnection,
        clock: &Clock,
        (job, kept): (&ErasureJob, Vec<String>),
    ) -> anyhow::Result<()> {
        let Some(subject) = self.subject else {
            return Ok(());
        };
        let data = MemberDataErased {
            erasure_id: job.erasure_id.clone(),
            service: self.service.to_owned(),
            kept,
        };
        outbox::append(tx, clock, NewEvent::new(subject, &job.erasure_id, &data)?).await?;
        Ok(())
    }
}
