//! Every event on the stream → `record_events`, through the inbox.
use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::consumer::{ConsumerSpec, Handler, HandlerError};
use sqlx::PgConnection;

use crate::flows;

pub const EVERYTHING: ConsumerSpec = ConsumerSpec::new("analytics", &["stillpoint.>"]);

/// SQLSTATE class 22: the value itself cannot be stored, such as a zero character in a text.
const DATA_EXCEPTION: &str = "22";

pub struct Recorder;

/// Events per transaction at most. Larger batches share the cost of a commit; an error repeats the whole batch.
const BATCH_SIZE: usize = 200;

#[async_trait]
impl Handler for Recorder {
    async fn apply(&self, tx: &mut PgConnection, event: &CloudEvent) -> Result<(), HandlerError> {
        self.apply_all(tx, &[event]).await
    }

    fn batch(&self) -> usize {
        BATCH_SIZE
    }

    async fn apply_all(&self, tx: &mut PgConnection, events: &[&CloudEvent]) -> Result<(), HandlerError> {
        flows::record_events(tx, events)
            .await
            .map_err(|error| match error.as_database_error() {
                Some(database_error)
                    if database_error
                        .code()
                        .is_some_and(|code| code.starts_with(DATA_EXCEPTION)) =>
                {
                    HandlerError::Reject(database_error.message().to_owned())
                }
                _ => HandlerError::Retry(error.into()),
            })
    }
}
