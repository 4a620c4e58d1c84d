//! Deletes all events about a member, from the database and the stream. Analytics erases last, because the events that other
//! services still emit about the member arrive here too.
use std::sync::Arc;

use async_trait::async_trait;
use kit::bus::CloudEvent;
use kit::erasure::{ErasedData, ErasureHandler, ErasureJob, Prepared, add_tombstones};
use proto::events::Event;
use proto::events::v1::ErasureRequested;
use sqlx::PgConnection;

use crate::domain::subjects::is_about_member;
use crate::flows::Context;
use crate::flows::export_member::MemberIdentifiers;
use crate::store::member::{self, SubjectFilter};

pub struct MemberEraser {
    pub context: Arc<Context>,
    /// Its name in the request's list of services.
    pub service: &'static str,
}

#[async_trait]
impl ErasureHandler for MemberEraser {
    async fn prepare(&self, job: &ErasureJob) -> anyhow::Result<Prepared> {
        let mut connection = self.context.pool.acquire().await?;
        let reported = member::list_erasure_reports(&mut connection, &job.erasure_id).await?;
        let is_last = job
            .services
            .iter()
            .all(|service| service == self.service || reported.contains(service));
        if !is_last {
            return Ok(Prepared::NotYet);
        }
        let member_ids = MemberIdentifiers::load(&self.context, &mut connection, &job.user_id).await?;
        drop(connection);
        // The request itself stays on the stream for its retention: external subscribers erase their copies by it.
        let identifiers = member_ids.all();
        let is_about = |event: &CloudEvent| {
            event.r#type != ErasureRequested::SUBJECT
                && is_about_member(&job.user_id, &identifiers, &event.r#type, &event.data)
        };
        let deleted = self.context.bus.delete_matching(is_about).await;
        let deleted = deleted.map_err(|error| anyhow::anyhow!("the stream: {error}"))?;
        tracing::debug!(
            deleted,
            erasure = job.erasure_id,
            "messages deleted from the stream"
        );
        Ok(Prepared::Ready)
    }

    async fn erase(&self, tx: &mut PgConnection, job: &ErasureJob) -> anyhow::Result<ErasedData> {
        let member_ids = MemberIdentifiers::load(&self.context, tx, &job.user_id).await?;
        add_tombstones(tx, &self.context.clock, &member_ids.ids).await?;
        let filter = SubjectFilter {
            user_id: &job.user_id,
            identifiers: &member_ids.all(),
        };
        member::delete_events(tx, filter).await?;
        Ok(ErasedData {
            identifiers: member_ids.ids,
            retained: Vec::new(),
        })
    }
}
