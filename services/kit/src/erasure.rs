//! Erasure of a member's data in one service: requested by an event, retried until it succeeds, reported by an event.
//!
//! The request is stored as a job together with its inbox row. The worker runs `prepare` (external systems, retried), then erases,
//! writes tombstones and emits the report in one transaction. After a crash it continues with the same job.

mod kit_records;
mod tombstones;
mod worker;

use async_trait::async_trait;
use proto::events::Event;
use proto::events::v1::{ErasureRequested, MemberDataErased};
use sqlx::PgConnection;

pub use tombstones::{add_tombstones, is_tombstoned, tombstone_arguments};
pub(crate) use worker::{POLL_INTERVAL, Worker};

use crate::bus::CloudEvent;
use crate::clock::Clock;
use crate::consumer::{ConsumerSpec, Handler, HandlerError};
use crate::outbox::{self, NewEvent};

/// One member to be erased.
#[derive(Clone, Debug, PartialEq, Eq, sqlx::FromRow)]
pub struct ErasureJob {
    pub erasure_id: String,
    pub user_id: String,
    /// The services that must report.
    pub services: Vec<String>,
}

/// Result of `prepare`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Prepared {
    Ready,
    /// Another system is not done; `prepare` is called again after a delay.
    NotYet,
}

/// A service's erasure. Both methods may be repeated after a crash.
#[async_trait]
pub trait ErasureHandler: Send + Sync + 'static {
    /// Work outside of a transaction: calls of providers, waiting for other services.
    async fn prepare(&self, job: &ErasureJob) -> anyhow::Result<Prepared>;

    /// Erases inside `tx` and returns the member's other identifiers.
    async fn erase(&self, tx: &mut PgConnection, job: &ErasureJob) -> anyhow::Result<ErasedData>;
}

/// A service's part in erasures. Every service with a schema states it: `Service::erasure`.
pub enum Erasure {
    /// Stores the requests, erases and emits the report. Auth lists such services and waits for their reports.
    Handler(Box<dyn ErasureHandler>),
    /// The service that requests erasures runs its own jobs, and closes an erasure with an event of its own.
    OwnRequests(Box<dyn ErasureHandler>),
    /// The schema has no data of members, for this reason.
    NothingStored(&'static str),
}

impl Erasure {
    pub fn handler(handler: impl ErasureHandler) -> Self {
        Self::Handler(Box::new(handler))
    }

    pub fn own_requests(handler: impl ErasureHandler) -> Self {
        Self::OwnRequests(Box::new(handler))
    }
}

#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ErasedData {
    /// Identifiers of the member beside the user id. They get tombstones, and kit's own tables are searched for them.
    pub identifiers: Vec<String>,
    /// Codes of the records that are retained by law.
    pub retained: Vec<String>,
}

/// The consumer of a service that erases members: `<service>-erasure`.
pub const fn requests(name: &'static str) -> ConsumerSpec {
    ConsumerSpec::new(name, &[ErasureRequested::SUBJECT])
}

/// Stores a request as a job. A repeated request is harmless.
#[derive(Clone, Debug)]
pub(crate) struct ErasureRequestHandler(pub Clock);

#[async_trait]
impl Handler for ErasureRequestHandler {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        let requested: ErasureRequested = event
            .decode()
            .map_err(|error| HandlerError::Reject(error.to_string()))?;
        if requested.erasure_id.is_empty() || requested.user_id.is_empty() {
            return Err(HandlerError::Reject("erasure_id or user_id is empty".to_owned()));
        }
        let job = ErasureJob {
            erasure_id: requested.erasure_id,
            user_id: requested.user_id,
            services: requested.services,
        };
        Ok(enqueue(tx, &self.0, &job).await?)
    }
}

/// Stores the job and a tombstone of the member.
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

/// How a service reports a finished erasure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Report {
    /// Emits `member_data.erased`.
    MemberDataErased,
    /// The service closes the erasure with an event of its own.
    Omitted,
}

async fn append_report(
    tx: &mut PgConnection,
    clock: &Clock,
    service: &str,
    job: &ErasureJob,
    retained: Vec<String>,
) -> anyhow::Result<()> {
    let data = MemberDataErased {
        erasure_id: job.erasure_id.clone(),
        service: service.to_owned(),
        kept: retained,
    };
    let subject = MemberDataErased::subject(service);
    let event = NewEvent::with_subject(subject, &job.erasure_id, &data)?;
    outbox::append(tx, clock, event).await?;
    Ok(())
}
