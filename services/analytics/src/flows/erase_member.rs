//! Deletes every event that is about a member, here and on the stream. The last of all services, because whatever the
//! others still tell of them comes here as well.
use std::sync::Arc;

use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::erasure::{self, ErasedData, ErasureHandler, ErasureJob, Prepared, add_tombstones};
use sqlx::PgConnection;

use crate::domain::about::is_of;
use crate::flows::Context;
use crate::flows::export_member::Marks;
use crate::store::member::{self, Whose};

pub struct MemberEraser {
    pub context: Arc<Context>,
    /// As the request lists it.
    pub service: &'static str,
}

#[async_trait]
impl ErasureHandler for MemberEraser {
    async fn prepare(&self, job: &ErasureJob) -> anyhow::Result<Prepared> {
        let mut connection = self.context.pool.acquire().await?;
        let reported = member::reports(&mut connection, &job.erasure_id).await?;
        let is_last = job
            .services
            .iter()
            .all(|service| service == self.service || reported.contains(service));
        if !is_last {
            return Ok(Prepared::NotYet);
        }
        let marks = Marks::of(&self.context, &mut connection, &job.user_id).await?;
        drop(connection);
        // The request itself stays as long as the stream keeps anything: outsiders must hear of it, and who it named is gone.
        let found_by = marks.all();
        let is_theirs = |event: &CloudEvent| {
            event.r#type != erasure::REQUESTED && is_of(&job.user_id, &found_by, &event.r#type, &event.data)
        };
        let forgotten = self.context.bus.delete_matching(is_theirs).await;
        let forgotten = forgotten.map_err(|fault| anyhow::anyhow!("the stream: {fault}"))?;
        tracing::debug!(forgotten, erasure = job.erasure_id, "messages are off the stream");
        Ok(Prepared::Ready)
    }

    async fn erase(&self, tx: &mut PgConnection, job: &ErasureJob) -> anyhow::Result<ErasedData> {
        let marks = Marks::of(&self.context, tx, &job.user_id).await?;
        add_tombstones(tx, &self.context.clock, &marks.ids).await?;
        let whose = Whose {
            user_id: &job.user_id,
            found_by: &marks.all(),
        };
        member::delete_events(tx, whose).await?;
        Ok(ErasedData {
            identifiers: marks.ids,
            retained: Vec::new(),
        })
    }
}
