//! A text names nobody it was written for and is deleted after a day, so a member has nothing here but what kit keeps.
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
