//! Every event on the stream → `record_events`, through the inbox.
use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::consumer::{ConsumerSpec, Handler, HandlerError};
use kit::erasure;
use sqlx::PgConnection;

use crate::flows;

pub const EVERYTHING: ConsumerSpec = ConsumerSpec {
    name: "analytics",
    subjects: &["stillpoint.>"],
    max_attempts: 20,
};

pub const ERASURES: ConsumerSpec = ConsumerSpec {
    name: "analytics-erasure",
    subjects: &[erasure::REQUESTED],
    max_attempts: 20,
};

/// SQLSTATE class 22: the value itself cannot be stored, such as a zero character in a text.
const DATA_EXCEPTION: &str = "22";

pub struct Recorder;

/// What one transaction records at most: what costs with each transaction is shared by so many, and a fault in one of them has
/// no more done again.
const BATCH: usize = 200;

#[async_trait]
impl Handler for Recorder {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        self.apply_all(tx, &[event]).await
    }

    fn batch(&self) -> usize {
        BATCH
    }

    async fn apply_all(&self, tx: &mut PgConnection, events: &[&CloudEvent]) -> Result<(), HandlerError> {
        flows::record_events(tx, events)
            .await
            .map_err(|fault| match fault.as_database_error() {
                Some(refusal)
                    if refusal
                        .code()
                        .is_some_and(|code| code.starts_with(DATA_EXCEPTION)) =>
                {
                    HandlerError::Reject(refusal.message().to_owned())
                }
                _ => HandlerError::Retry(fault.into()),
            })
    }
}
