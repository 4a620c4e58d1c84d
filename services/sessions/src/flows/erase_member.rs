//! Erasure of a member. Replies hold no member id and are purged after a day, so only kit's records are erased.
use async_trait::async_trait;
use kit::erasure::{ErasedData, ErasureHandler, ErasureJob, Prepared};
use sqlx::PgConnection;

pub struct MemberEraser;

#[async_trait]
impl ErasureHandler for MemberEraser {
    async fn prepare(&self, _job: &ErasureJob) -> anyhow::Result<Prepared> {
        Ok(Prepared::Ready)
    }

    async fn erase(&self, _tx: &mut PgConnection, _job: &ErasureJob) -> anyhow::Result<ErasedData> {
        Ok(ErasedData::default())
    }
}
